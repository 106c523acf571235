// Use the service by the official JavaScript client of the OpenAI protocol.
//
// usage: check.mjs BASE_URL KEY QUESTION ANSWER: the question's answer must hold ANSWER.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import OpenAI from "openai";

const [base, key, question, answer] = process.argv.slice(2);
const client = new OpenAI({ baseURL: `${base}/v1/openai`, apiKey: key, maxRetries: 0 });
const messages = [{ role: "user", content: question }];

const done = await client.chat.completions.create({ model: "default", messages });
const content = done.choices[0].message.content;
assert.ok(content.includes(answer), content);
assert.equal(done.choices[0].finish_reason, "stop");
assert.equal(done.usage.total_tokens, done.usage.prompt_tokens + done.usage.completion_tokens);
assert.equal(done.answered, true);
assert.equal(done.sources[0].index, 1);

let text = "";
let last;
let usage;
const stream = await client.chat.completions.create({ model: "default", messages, stream: true, stream_options: { include_usage: true } });
for await (const chunk of stream) {
  text += chunk.choices[0]?.delta.content ?? "";
  if (chunk.choices[0]?.finish_reason) last = chunk;
  usage = chunk.usage ?? usage;
}
assert.equal(text, content);
assert.equal(last.choices[0].finish_reason, "stop");
assert.equal(last.sources[0].documentId, done.sources[0].documentId);
assert.equal(usage.total_tokens, done.usage.total_tokens);

await assert.rejects(client.withOptions({ apiKey: "sk_live_nonsense" }).chat.completions.create({ model: "default", messages }), OpenAI.AuthenticationError);
await assert.rejects(
  client.chat.completions.create({ model: "default", messages: [{ role: "user", content: "x".repeat(1001) }], stream: true }),
  OpenAI.BadRequestError,
);
const { version } = JSON.parse(readFileSync(new URL("node_modules/openai/package.json", import.meta.url)));
console.log(`clients: openai ${version} (JavaScript) works`);
