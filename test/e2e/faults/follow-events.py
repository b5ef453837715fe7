"""Follows a stream of server-sent events with the standard library alone, and prints the cursor of each event.

Connects again after the last cursor whenever the stream ends or breaks. Usage: follow-events.py URL API_KEY
"""

import http.client
import sys
import time
import urllib.request

url, key = sys.argv[1:]
last = None
while True:
    headers = {"Authorization": f"Bearer {key}", "Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = last
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as stream:
            cursor, data = last, []
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    cursor = value
                elif name == "data":
                    data.append(value)
                elif name == "":
                    if data:
                        print("\n".join(data), flush=True)
                    last, data = cursor, []
    except (OSError, http.client.HTTPException):
        time.sleep(0.1)
