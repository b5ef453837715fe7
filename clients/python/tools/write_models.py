"""The OpenAPI document on standard input, its types for Python on standard output: src/recordwatch/models.py."""

from __future__ import annotations

import json
import keyword
import re
import sys
from typing import Any

NOTE = '''"""The resources and requests of the API.

Made from the OpenAPI document: npx vitest run test/clients/python/generated.test.ts --update
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

# Cells by column, as the origin wrote them.
RowData = dict[str, Any]
'''

Schema = dict[str, Any]

# The API leaves them out when it repeats an answer. Then the client raises an error.
SECRETS = {"CreatedApiKey": "key", "CreatedWebhook": "secret"}


class Writer:
    """Collects one class for each object, also for the nameless ones within others."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        self.classes: dict[str, str] = {}
        self.nameless: dict[str, str] = {}

    def resolve(self, schema: Schema) -> Schema:
        if "$ref" not in schema:
            return schema
        place: Schema = self.document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        return place

    def type_of(self, schema: Schema, name: str) -> str:
        """The type of a value. `name` is for a class, if it needs one."""
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[1]
        if "const" in schema:
            return f"Literal[{json.dumps(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.type_of(each, name) for each in schema["anyOf"]))
        match schema.get("type"):
            case "string":
                return "str"
            case "integer":
                return "int"
            case "number":
                return "float"
            case "boolean":
                return "bool"
            case "null":
                return "None"
            case "array":
                return f"list[{self.type_of(schema['items'], name)}]"
            case "object":
                return self.object_type(schema, name)
            case _:
                return "Any"

    def object_type(self, schema: Schema, name: str) -> str:
        if schema.get("properties"):
            shape = json.dumps(schema, sort_keys=True)
            if shape not in self.nameless:
                if name in self.classes:
                    raise ValueError(f"two different objects would be called {name}")
                self.nameless[shape] = name
                self.write_class(name, schema["properties"], set(schema.get("required", [])))
            return self.nameless[shape]
        values = schema.get("additionalProperties")
        return f"dict[str, {self.type_of(values, name)}]" if isinstance(values, dict) else "dict[str, Any]"

    def write_class(self, name: str, properties: dict[str, Schema], required: set[str]) -> None:
        self.classes[name] = ""  # Keeps its place before the classes within it.
        required = required | {SECRETS.get(name, "")}
        members = []
        for member, schema in properties.items():
            kind = self.type_of(schema, name + member[:1].upper() + member[1:])
            members.append((member, kind if member in required else f"NotRequired[{kind}]"))
        if any(keyword.iskeyword(member) for member, _ in members):
            # Such a name cannot be an attribute, and types in this form are not looked up later.
            lines = [f"        {member!r}: {kind!r}," for member, kind in members]
            self.classes[name] = "\n".join(
                [f"{name} = TypedDict(", f'    "{name}",', "    {", *lines, "    },", ")"]
            )
            return
        lines = [f"    {member}: {kind}" for member, kind in members]
        self.classes[name] = "\n".join([f"class {name}(TypedDict):", *(lines or ["    pass"])])


def write(document: Schema) -> str:
    writer = Writer(document)
    for name, schema in document["components"]["schemas"].items():
        if name == "RowData":
            continue
        if not schema.get("properties"):
            writer.classes[name] = f"{name} = {writer.object_type(schema, name)}"
            continue
        writer.write_class(name, schema["properties"], set(schema.get("required", [])))
    for path in document["paths"].values():
        for operation in path.values():
            if not isinstance(operation, dict) or "operationId" not in operation:
                continue
            parameters = [writer.resolve(each) for each in operation.get("parameters", [])]
            query = {each["name"]: each["schema"] for each in parameters if each["in"] == "query"}
            if query:
                name = operation["operationId"]
                writer.write_class(f"{name[:1].upper()}{name[1:]}Query", optional(query), set())
    text = "\n\n\n".join([NOTE.rstrip(), *writer.classes.values()])
    return re.sub(r"\n{4,}", "\n\n\n", text) + "\n"


def optional(query: dict[str, Schema]) -> dict[str, Schema]:
    """Without the cursor, which the iterators send."""
    return {name: schema for name, schema in query.items() if name != "cursor"}


sys.stdout.write(write(json.load(sys.stdin)))
