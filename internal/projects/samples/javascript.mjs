const response = await fetch("ENDPOINT", {
  method: "POST",
  headers: {"AUTH_HEADER": process.env.KEY, "Content-Type": "application/json"},
  body: JSON.stringify({question: "What do the documents say?"}),
});
if (!response.ok) throw new Error(await response.text());
const {answer, sources} = await response.json();
console.log(answer, sources);
