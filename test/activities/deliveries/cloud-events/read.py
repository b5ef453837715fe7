# Reads requests from standard input, one JSON object with headers and body a line, and prints what the package cloudevents reads.
import json
import sys

from cloudevents.core.bindings.http import HTTPMessage, from_http_event

for line in sys.stdin:
    request = json.loads(line)
    event = from_http_event(HTTPMessage(headers=request["headers"], body=request["body"].encode()))
    print(
        json.dumps(
            {
                "id": event.get_id(),
                "source": event.get_source(),
                "type": event.get_type(),
                "subject": event.get_subject(),
                "time": event.get_time().isoformat(),
                "specversion": event.get_specversion(),
                "datacontenttype": event.get_datacontenttype(),
                "data": event.get_data(),
            }
        ),
        flush=True,
    )
