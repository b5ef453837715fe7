# Reads Atom documents from standard input, one JSON string a line, and prints what the package feedparser reads. An XML parser
# that forgives nothing reads each first.
import json
import sys
from xml.etree import ElementTree

import feedparser

for line in sys.stdin:
    document = json.loads(line)
    ElementTree.fromstring(document.encode())
    read = feedparser.parse(document.encode(), sanitize_html=False, resolve_relative_uris=False)
    entries = [
        {
            "id": entry.id,
            "title": entry.title,
            "link": entry.link,
            "updated": entry.updated,
            "content": entry.content[0].value,
            "tags": [tag.term for tag in entry.tags],
        }
        for entry in read.entries
    ]
    feed = {"id": read.feed.id, "title": read.feed.title, "link": read.feed.link, "updated": read.feed.updated}
    print(json.dumps({"isBroken": bool(read.bozo), "version": read.version, **feed, "entries": entries}), flush=True)
