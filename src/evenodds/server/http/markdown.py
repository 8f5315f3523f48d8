"""Markdown parsed into sections of paragraphs and lists, as JSON for the pages.

Only what pages of games are made of: headings, paragraphs, lists, code, and emphasis as plain text.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

Section = dict[str, Any]
Span = list[str]
"""A piece of text, and `code` or nothing."""


def outline(markdown: str) -> list[Section]:
    """The sections of a page, each with its title, its level and its blocks."""
    from markdown_it import MarkdownIt  # it takes a while to load, and many a server shows no page
    from markdown_it.tree import SyntaxTreeNode

    sections: list[Section] = []
    for node in SyntaxTreeNode(MarkdownIt().parse(markdown)).children:
        if node.type == "heading":
            title = "".join(text for text, _ in _spans(node))
            sections.append({"title": title, "level": int(node.tag[1:]), "blocks": []})
        elif sections:
            sections[-1]["blocks"].append(_block(node))
    return sections


def _block(node: "SyntaxTreeNode") -> dict[str, Any]:
    if node.type in ("bullet_list", "ordered_list"):
        return {"list": [[_block(part) for part in item.children] for item in node.children]}
    if node.type in ("fence", "code_block"):
        return {"code": node.content}
    return {"text": _spans(node)}


def _spans(node: "SyntaxTreeNode") -> list[Span]:
    if node.type == "code_inline":
        return [[node.content, "code"]]
    if node.type in ("softbreak", "hardbreak"):
        return [[" ", ""]]
    if node.type == "text":
        return [[node.content, ""]]
    return [span for child in node.children for span in _spans(child)]
