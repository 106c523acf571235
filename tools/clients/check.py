"""Use the service by the official Python client of the OpenAI protocol.

usage: check.py BASE_URL KEY QUESTION ANSWER: the question's answer must hold ANSWER.
"""

import sys

import openai

base, key, question, answer = sys.argv[1:]
client = openai.OpenAI(base_url=f"{base}/v1/openai", api_key=key, max_retries=0)
messages = [{"role": "user", "content": question}]

done = client.chat.completions.create(model="default", messages=messages, user="user-42", temperature=0)
choice = done.choices[0]
assert answer in choice.message.content, choice.message.content
assert choice.message.role == "assistant" and choice.finish_reason == "stop", choice
assert done.object == "chat.completion" and done.id.startswith("msg_") and done.created > 1.7e9, done
assert done.usage.total_tokens == done.usage.prompt_tokens + done.usage.completion_tokens > 0, done.usage
assert done.answered is True and done.sources[0]["index"] == 1 and done.conversationId.startswith("cnv_"), done

text, finish, sources, usage = "", None, None, None
with client.chat.completions.create(
    model="default", messages=messages, stream=True, stream_options={"include_usage": True}
) as stream:
    for chunk in stream:
        assert chunk.object == "chat.completion.chunk", chunk
        usage = chunk.usage or usage
        for part in chunk.choices:
            text += part.delta.content or ""
            if part.finish_reason:
                finish, sources = part.finish_reason, chunk.sources
assert text == choice.message.content, (text, choice.message.content)
assert finish == "stop" and sources[0]["documentId"] == done.sources[0]["documentId"], (finish, sources)
assert usage.total_tokens == done.usage.total_tokens, usage

follow = client.chat.completions.create(
    model="default",
    messages=[
        {"role": "system", "content": "You are a pirate."},
        *messages,
        {"role": "assistant", "content": text},
        {"role": "user", "content": [{"type": "text", "text": "Which planets have rings?"}]},
    ],
)
assert follow.answered is False and follow.sources == [] and follow.choices[0].message.content, follow


def refused(kind, **arguments):
    try:
        client.with_options(api_key=arguments.pop("key", key)).chat.completions.create(
            **{"model": "default", "messages": messages, **arguments}
        )
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


assert refused(openai.AuthenticationError, key="sk_live_nonsense").response.json()["code"] == "invalid_key"
long = refused(openai.BadRequestError, messages=[{"role": "user", "content": "x" * 1001}])
assert long.response.json()["code"] == "question_too_long", long.response.text
last = refused(openai.BadRequestError, messages=[{"role": "assistant", "content": "x"}], stream=True)
assert last.response.status_code == 400, last
print(f"clients: openai {openai.__version__} (Python) works")
