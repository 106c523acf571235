import json
import os
import urllib.request

request = urllib.request.Request(
    "ENDPOINT",
    data=json.dumps({"question": "What do the documents say?"}).encode(),
    headers={"AUTH_HEADER": os.environ["KEY"], "Content-Type": "application/json"},
)
with urllib.request.urlopen(request, timeout=60) as response:
    result = json.load(response)
print(result["answer"], result["sources"])
