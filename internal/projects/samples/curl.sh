curl ENDPOINT \
  -H "AUTH_HEADER: $KEY" \
  -H "Content-Type: application/json" \
  -d '{"question": "What do the documents say?"}'
