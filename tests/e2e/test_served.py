"""The page as it is served to others: behind a password, behind proxies, through a tunnel."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from inspector.server.access import Access
from inspector.server.passwords import Password
from tests.e2e.proxying import proxying
from tests.e2e.walking import IS_LONG_TEST

PASSWORD = "correct horse battery"
ROOT = "/user/x/proxy/7860"


@pytest.fixture(scope="module")
def password() -> Password:
    return Password.of(PASSWORD)


def log_in(page, *, password=PASSWORD, name=""):
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def wait_painted(page):
    page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")


def turn_a_page(page):
    """Go to the next example, which needs the data routes."""
    viewer = page.locator("#viewer")
    before = viewer.get_attribute("data-painted")
    page.keyboard.press("ArrowRight")
    expect(viewer).not_to_have_attribute("data-painted", before)
    wait_painted(page)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=IS_LONG_TEST)])
def test_a_password_stands_before_the_page(serve, demo, browser, password, scheme):
    address = serve(demo, access=Access(password=password))
    context = browser.new_context(color_scheme=scheme, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/?sort=best")
    assert page.title() == "Log in · Inspector"
    expect(page.get_by_label("Your name")).to_be_focused()
    log_in(page, password="wrong horse battery", name="<b>Ada</b>")
    expect(page.get_by_role("alert")).to_have_text("Wrong password. Type it again.")
    expect(page.get_by_label("Password")).to_be_focused()
    expect(page.get_by_label("Password")).to_have_value("")
    expect(page.get_by_label("Your name")).to_have_value("<b>Ada</b>")
    assert page.locator("b").count() == 0
    log_in(page, name="Ada")
    assert urlsplit(page.url).query == "sort=best"  # the view that was asked for
    context.close()


def test_the_login_leads_on_and_the_logout_out(serve, demo, watched, password):
    address = serve(demo, access=Access(password=password))
    page = watched.page
    page.goto(f"{address}/?sort=best")
    log_in(page, name="Ada")
    wait_painted(page)
    [cookie] = page.context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["path"] == "/"
    page.goto(f"{address}/login")
    wait_painted(page)  # who is logged in is led to the page
    page.goto(f"{address}/logout")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("status")).to_have_text("You are logged out.")
    assert page.context.cookies() == []
    page.goto(address)
    assert page.title() == "Log in · Inspector"


def test_a_session_that_ends_is_said_on_the_page(serve, demo, watched, password):
    page = watched.page
    page.goto(serve(demo, access=Access(password=password)))
    log_in(page)
    wait_painted(page)
    page.context.clear_cookies()
    page.keyboard.press("End")  # a picture that has not been fetched yet
    expect(page.get_by_text("your session has ended").first).to_be_visible()
    page.reload()
    log_in(page)
    wait_painted(page)
    watched.forgive("401 (Unauthorized)", "session has ended")


@IS_LONG_TEST
def test_two_pages_on_one_host_do_not_log_each_other_out(serve, demo, watched, password):
    first, second = (serve(demo, access=Access(password=password)) for _ in range(2))
    page = watched.page
    for address in (first, second):
        page.goto(address)
        log_in(page)
        wait_painted(page)
    watched.open(first)


def strays(watched, home):
    """Requests outside of the path that is the page's; pictures made in the page have none."""
    return [url for url in watched.requests if not url.startswith((home, "blob:", "about:"))]


@pytest.mark.parametrize("strip", [
    pytest.param(True, id="stripping"),
    pytest.param(False, id="not stripping", marks=IS_LONG_TEST),
])
def test_behind_a_proxy_with_its_path(serve, demo, watched, password, strip):
    with proxying(ROOT, strip=strip) as proxy:
        proxy.target = serve(demo, access=Access(password=password, root_path=ROOT))
        home = f"{proxy.address}{ROOT}/"
        page = watched.page
        page.goto(f"{home}?sort=best")
        assert page.url.startswith(f"{home}login?next=")
        log_in(page)
        wait_painted(page)
        [cookie] = page.context.cookies()
        assert cookie["path"] == ROOT  # other users of the hub's host do not get it
        turn_a_page(page)
        assert page.url.startswith(f"{home}?sort=best")
        page.goto("about:blank")  # before the proxy is gone
    assert strays(watched, home) == []


@IS_LONG_TEST
def test_behind_a_proxy_that_strips_a_path_nobody_told(serve, demo, watched, password):
    with proxying(ROOT, strip=True) as proxy:
        proxy.target = serve(demo, access=Access(password=password))
        home = f"{proxy.address}{ROOT}/"
        watched.page.goto(home)
        log_in(watched.page)
        wait_painted(watched.page)
        turn_a_page(watched.page)
        watched.page.goto("about:blank")
    assert strays(watched, home) == []


@IS_LONG_TEST
def test_behind_a_proxy_that_puts_its_own_host(serve, demo, watched, password):
    with proxying(ROOT, strip=True, keep_host=False) as proxy:
        name = urlsplit(proxy.address).netloc
        proxy.target = serve(demo, access=Access(password=password, origins=(name,)))
        home = f"{proxy.address}{ROOT}/"
        watched.page.goto(home)
        log_in(watched.page)
        wait_painted(watched.page)
        turn_a_page(watched.page)
        watched.page.goto("about:blank")
    assert strays(watched, home) == []


@IS_LONG_TEST
def test_a_root_path_without_its_slash_is_led_to_it(serve, demo, watched):
    with proxying(ROOT, strip=False) as proxy:
        proxy.target = serve(demo, access=Access(root_path=ROOT))
        page = watched.open(f"{proxy.address}{ROOT}?sort=best")
        assert page.url.startswith(f"{proxy.address}{ROOT}/?sort=best")
        page.goto("about:blank")
