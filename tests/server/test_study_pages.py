"""Studies from a server: the same pages as from the command."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsers import edges, violations
from tests.support.commands import evenodds_here as command
from tests.support.servers import Server, serving
from tests.support.waiting import wait_until


def fetched(client: httpx.Client, path: str) -> httpx.Response:
    answers: list[httpx.Response] = []

    def is_made() -> bool:
        answers.append(client.get(path))
        return answers[-1].status_code != 202

    wait_until(is_made)
    for waiting in answers[:-1]:
        assert waiting.headers["refresh"]
        assert "Being studied" in waiting.text
    return answers[-1]


def test_the_server_offers_the_same_page(server: Server, home: Path) -> None:
    answer = fetched(server.client(), "/study/duel?hp=4")
    assert answer.status_code == 200
    links = re.search(r"<nav class=.bar.*?</nav>\n", answer.text)
    assert links
    assert re.findall('href="([^"]*)"', links[0]) == [
        "/",
        "/?game=duel&amp;hp=4",
        "/rules/duel?hp=4",
        "/map/duel?hp=4",
    ]
    command("study", "duel", "--rule", "hp=4", "-o", str(home.parent / "x.html"), home=home)
    written = (home.parent / "x.html").read_text()
    shown = answer.text.replace(links[0], "", 1)
    assert shown.replace('<p><a href="/study">All games</a></p>\n', "", 1) == written
    policy = answer.headers.get_list("content-security-policy")
    assert len(policy) == 1
    assert "script-src" not in policy[0]
    assert "unsafe-inline" not in policy[0]


@pytest.mark.processes
def test_a_page_that_is_being_made_says_how_far_it_is(home: Path) -> None:
    with serving(home) as server:
        path, client = "/study/circle?numbers=14&reach=2&leaps=1", server.client()
        wait_until(lambda: re.search(r"At the moment: [a-z ]+: [\d,]+", client.get(path).text))


def test_a_browser_shows_the_page_in_its_style(server: Server, browser: Browser) -> None:
    complaints: list[str] = []
    heights = "all => all.map(each => each.getBoundingClientRect().height)"
    fetched(server.client(), "/study/circle?numbers=5")
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{server.url}/study/circle?numbers=5")
        assert page.locator("h1").inner_text() == "Number Circle Duel"
        assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"
        assert edges(page.locator("dl.verdict"))[1] <= 844  # on the first screen of a phone
        found = page.locator("header a, th a, summary").filter(visible=True)
        assert min(found.evaluate_all(heights)) >= 24
        assert violations(page) == []
        expect(page.locator("#size")).not_to_be_visible()
        page.goto(f"{server.url}/study/circle?numbers=5#size")
        expect(page.locator("#size")).to_be_visible()
    assert complaints == []


def test_a_refusal_is_a_page_to_a_browser(server: Server) -> None:
    client = server.client()
    for path, status, said in (
        ("/study/chess", 404, "There is no game called"),
        ("/study/duel?hp=0", 422, "hp=0 is not allowed"),
        ("/rules/duel?hp=0", 422, "hp=0 is not allowed"),
        ("/study/duel?hp=3&hp=4", 422, "Hp is set more than once"),
    ):
        answer = client.get(path, headers={"Accept": "text/html,*/*"})
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert said in answer.text
        assert 'href="/study"' in answer.text
