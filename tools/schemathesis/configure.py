"""Write the configuration of each run, with the credentials and ids of a running `docqa dev`.

usage: configure.py DEV_JSON TOKEN FOLDER

Prepares what the runs work on through the public API: a project with a document, a key and a conversation, and another
project for the operations that end one. Each run's configuration becomes FOLDER/<run>.toml.
"""

import json
import pathlib
import sys
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = 20260131

# The checks that do not apply, each with its reason. Everything else that schemathesis knows is on.
EXCLUDED = {
    "positive_data_acceptance": "a body that fits its schema may still break a rule of the domain (an unknown id, a name that "
    "is taken, a plan's limit), and such answers are documented",
}

# What runs where: the published document, the phases, examples an operation, seconds.
RUNS = {
    "main": {"document": "main", "examples": 8, "seconds": 75, "implemented": True},
    "extract": {"document": "extract", "examples": 12, "seconds": 15, "implemented": True},
    "rag": {"document": "rag", "examples": 12, "seconds": 20, "implemented": True},
    "main-later": {"document": "main", "examples": 1, "seconds": 20, "implemented": False},
    "extract-later": {"document": "extract", "examples": 1, "seconds": 5, "implemented": False},
    "rag-later": {"document": "rag", "examples": 1, "seconds": 5, "implemented": False},
}


def not_implemented():
    lines = (ROOT / "openapi" / "not_implemented.txt").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def operations(document):
    published = json.loads((ROOT / "gen" / "openapi" / f"{document}.json").read_text())
    return {operation.get("operationId") for path in published["paths"].values() for operation in path.values() if isinstance(operation, dict)}


class API:
    def __init__(self, base, token):
        self.base, self.token = base, token

    def call(self, method, path, body=None, **credential):
        headers = {"Content-Type": "application/json"}
        headers.update({name.replace("_", "-"): value for name, value in credential.items()})
        if not credential:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)


def prepare(api, key, rag_key):
    """Make the things whose ids the runs use, and return them by the name of their parameter. Uses every credential once."""
    project = api.call("POST", "/v1/projects", {"name": "Contract test"})["project"]["projectId"]
    ending = api.call("POST", "/v1/projects", {"name": "Contract test, ends"})["project"]["projectId"]
    secret = api.call("POST", f"/v1/projects/{project}/keys", {})["secret"]
    expendable = api.call("POST", f"/v1/projects/{ending}/keys", {})["key"]["keyId"]
    reserved = api.call("POST", f"/v1/projects/{project}/documents/upload-url", {"filename": "contract.txt"})
    for url, body in ((reserved["uploadUrl"], b"The contract runs for two years."), (reserved["metadataUploadUrl"], reserved["metadataBody"].encode())):
        urllib.request.urlopen(urllib.request.Request(url, data=body, method="PUT"), timeout=30).close()
    document = reserved["documentId"]
    api.call("POST", f"/v1/projects/{project}/documents/{document}/confirm")
    question = "How long does the contract run?"
    api.call("POST", "/v1/chat", {"question": question}, X_Service_Key=key)
    api.call("POST", "/v1/rag/search", {"projectId": project, "query": question}, X_Rag_Service_Key=rag_key)
    answer = api.call("POST", "/v1/chat", {"question": question}, X_Service_Key=secret)
    return {"projectId": project, "ending": ending, "documentId": document, "keyId": expendable, "conversationId": answer["conversationId"]}


def configuration(run, ids, credentials):
    quote = json.dumps
    phase = {True: "true", False: "false"}
    lines = [
        f"seed = {SEED}",
        f"max-time = {run['seconds']}",
        "workers = 1",  # Python 3.11 parses source from one thread at a time only, and Hypothesis parses its own
        "continue-on-failure = true",
        "request-timeout = 20",
        f"hooks = {quote(str(ROOT / 'tools' / 'schemathesis' / 'hooks.py'))}",
        "[generation]",
        f"max-examples = {run['examples']}",
        'database = "none"',
        "[phases.examples]",
        f"enabled = true\nfill-missing = {phase[not run['implemented']]}",
        f"[phases.coverage]\nenabled = {phase[run['implemented']]}",
        f"[phases.fuzzing]\nenabled = {phase[run['implemented']]}",
        "[phases.stateful]\nenabled = false",
    ]
    for scheme, (member, value) in credentials.items():
        lines += [f"[auth.openapi.{scheme}]", f"{member} = {quote(value)}"]
    for check in EXCLUDED:
        lines += [f"[checks.{check}]", "enabled = false"]
    if run["document"] == "main":
        lines.append("[dictionaries]")
        lines += [f"{key} = {{values = [{quote(value)}]}}" for key, value in ids.items()]
        lines.append("[parameters]")
        lines += [f'"path.{key}" = {{dictionary = {quote(key)}, probability = 0.8}}' for key in ids if key != "ending"]
        lines += ["[[operations]]", 'include-operation-id = ["archiveProject", "revokeKey"]', "[operations.parameters]"]
        lines.append('"path.projectId" = {dictionary = "ending", probability = 0.8}')
    left_out = "include-operation-id" if run["implemented"] else "exclude-operation-id"
    lines += ["[[operations]]", f"{left_out} = {quote(not_implemented())}", "enabled = false"]
    return "\n".join(lines) + "\n"


def main():
    dev = json.loads(pathlib.Path(sys.argv[1]).read_text())
    token, folder = sys.argv[2], pathlib.Path(sys.argv[3])
    key = dev["companies"][0]["projects"][0]["keys"]["sk_live"]
    ids = prepare(API(dev["baseUrl"], token), key, dev["ragServiceKey"])
    credentials = {
        "main": {"dashboardJWT": ("bearer", token), "serviceKey": ("api_key", key)},
        "extract": {"serviceKey": ("api_key", key)},
        "rag": {"ragServiceKey": ("api_key", dev["ragServiceKey"])},
    }
    later = set(not_implemented())
    for name, run in RUNS.items():
        if not run["implemented"] and not later & operations(run["document"]):
            continue  # all of it is built
        text = configuration(run, ids, credentials[run["document"]])
        (folder / f"{name}.toml").write_text(text)
        print(name, run["document"])


if __name__ == "__main__":
    try:
        main()
    except urllib.error.HTTPError as error:
        sys.exit(f"schemathesis: {error.url} answered {error.code}: {error.read(500).decode(errors='replace')}")
