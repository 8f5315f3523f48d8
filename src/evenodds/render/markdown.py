"""Markdown parsed into sections of paragraphs and lists, as JSON for the pages.

It supports what pages of games use: headings, paragraphs, lists, code; emphasis becomes plain text.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

Section = dict[str, Any]
Span = list[str]
"""A text and its style: `code` or empty."""


def outline(markdown: str) -> list[Section]:
    """The sections of a page, each with its title, its level and its blocks."""
    from markdown_it import MarkdownIt  # slow to import, and many servers show no page
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
