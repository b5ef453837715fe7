"""Creates a record with the generated client, reads it and finds it in the list. Prints its id, and the code of an error."""

import os

from recordwatch_client import AuthenticatedClient
from recordwatch_client.api.records import create_record, get_record, list_records
from recordwatch_client.models import CreateRecordRequest, ListRecordsResult, Record

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
created = create_record.sync(
    client=client, body=CreateRecordRequest(url="https://example.com/python.csv", name="Python")
)
assert isinstance(created, Record), created
read = get_record.sync(created.id, client=client)
assert isinstance(read, Record) and read.name == "Python", read
listed = list_records.sync(client=client, search="Python")
assert isinstance(listed, ListRecordsResult), listed
assert [record.id for record in listed.sources] == [created.id], listed
missing = get_record.sync("src_" + "0" * 32, client=client)
print(created.id, missing.code)
