"""Hooks of the contract test.

One answer is accepted that the contract does not name: 501 with the code `not_implemented`, and only from an operation that
openapi/not_implemented.txt lists. And the published schema of an event stream describes the JSON in an event's `data`, where
schemathesis expects a schema of the whole event: it is told so, and checks every event's data. The protocol of OpenAI ends a stream
with an event that is no JSON, `[DONE]`, which is allowed there. Nothing else is changed.
"""

import pathlib

import schemathesis

LIST = pathlib.Path(__file__).resolve().parents[2] / "openapi" / "not_implemented.txt"
LATER = {line.strip() for line in LIST.read_text().splitlines() if line.strip() and not line.startswith("#")}


def is_listed(case, response):
    if response.status_code != 501 or case.operation.definition.raw.get("operationId") not in LATER:
        return False
    try:
        body = response.json()
    except ValueError:
        return False
    return isinstance(body, dict) and body.get("code") == "not_implemented" and isinstance(body.get("error"), str)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not is_listed(case, response)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for media in event_streams(raw_schema):
        data = {"type": "string", "contentMediaType": "application/json", "contentSchema": media["schema"]}
        if media["schema"].get("$ref", "").endswith("/OpenAIChatCompletionChunk"):
            data = {"anyOf": [{"const": "[DONE]"}, data]}
        media["schema"] = {"type": "object", "required": ["data"], "properties": {"data": data}}


def event_streams(node):
    """Every media type object of an event stream below node."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "text/event-stream" and isinstance(value, dict) and "schema" in value:
                yield value
            else:
                yield from event_streams(value)
    elif isinstance(node, list):
        for value in node:
            yield from event_streams(value)
