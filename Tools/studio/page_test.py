"""The steps of `Tools/studio/test`. Each step prints a line, and the first failure ends the test."""
import argparse
import base64
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import wave

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
import mock_server  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


# MARK: Server and browser

class Mock:
    """The server with canned results, which can be killed and restarted on the same port."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        self.process = subprocess.Popen([sys.executable, os.path.join(FOLDER, 'mock_server.py'), '--port', str(self.port)], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which('chromium') or shutil.which('google-chrome')
        for argument in ('--headless=new', '--no-sandbox', '--disable-gpu', '--use-fake-device-for-media-stream=fps=60', '--use-fake-ui-for-media-stream',
                         '--autoplay-policy=no-user-gesture-required'):
            options.add_argument(argument)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which('chromedriver')))
        self.errors = []

    def size(self, width, height, theme='light', touch=False):
        self.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': touch})
        self.driver.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': [{'name': 'prefers-color-scheme', 'value': theme}]})

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, message, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        problem = self.script('return document.getElementById("problem")?.textContent')
        raise Failure(message + (' (the page shows: %s)' % problem if problem else ''))

    def read_errors(self, may_lose_connection=False):
        for entry in self.driver.get_log('browser'):
            # Chromium logs failed requests on its own.
            is_lost = 'Failed to load resource' in entry['message'] or 'ERR_' in entry['message']
            if entry['level'] == 'SEVERE' and not (may_lose_connection and is_lost):
                self.errors.append(entry['message'])
        expect(not self.errors, 'the console has errors: %s' % '; '.join(self.errors))


# MARK: Steps

class Steps:
    def __init__(self, browser, url, mock, seconds, screenshots, folder):
        self.browser, self.url, self.mock, self.seconds, self.screenshots, self.folder = browser, url, mock, seconds, screenshots, folder

    def open(self, fragment=''):
        self.browser.driver.get('about:blank')
        self.browser.driver.get(self.url + fragment)
        self.browser.wait(lambda: self.browser.script('return document.body.dataset.ready'), "the page doesn't start")
        self.browser.script('performance.setResourceTimingBufferSize(100000)')
        self.data = self.browser.script('return JSON.parse(document.getElementById("data").textContent)')
        self.tasks = [task for task in self.data['tasks'] if task['models']]

    def answers(self):
        return int(self.browser.script('return document.body.dataset.answers ?? "0"'))

    def queries(self):
        """Returns the queries of all requests that run a task."""
        names = self.browser.script('return performance.getEntriesByType("resource").map((entry) => entry.name)')
        return [dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(name).query, keep_blank_values=True)) for name in names if '/api/run?' in name]

    def overlay(self):
        return self.browser.script('return document.getElementById("overlay").toDataURL()')

    def problem(self):
        return self.browser.script('const box = document.getElementById("problem"); return box.hidden ? "" : box.textContent')

    def after(self, action, message):
        """Waits for an answer to an action."""
        before = self.answers()
        action()
        self.browser.wait(lambda: self.answers() > before, message)

    def task(self, form, live=False):
        return next((task for task in self.tasks if task['input'] == form and (not live or task['isLive']) and task['id'] != 'track'), None)

    def choose(self, task):
        self.browser.find('[data-task="%s"]' % task['id']).click()
        self.browser.wait(lambda: self.browser.find('#title').text == task['title'], 'the task is not chosen')

    def settle(self):
        """Waits until no more answers arrive."""
        last, since = self.answers(), time.monotonic()
        while time.monotonic() - since < 0.6:
            time.sleep(0.1)
            if self.answers() != last:
                last, since = self.answers(), time.monotonic()

    def give_input(self, task):
        """Gives the task an input of its own, through the same buttons as a reader."""
        form = task['input']
        if task['id'] == 'track':
            return False
        if form.startswith('text'):
            for number, area in enumerate(self.browser.all('#texts textarea')):
                area.clear()
                area.send_keys('A good day for a walk %d' % number)
            return True
        files = {'image': ['a.png'], 'image-point': ['a.png'], 'image-pair': ['a.png', 'b.png'], 'sound': ['tone.wav']}[form]
        # The button makes the file input fit the task. Its dialog cannot be used here.
        self.browser.script('const file = document.getElementById("file"); file.click = () => {}; document.getElementById("open-file").click();')
        self.browser.find('#file').send_keys('\n'.join(os.path.join(self.folder, name) for name in files))
        return True

    def test_each_task(self):
        for task in self.tasks:
            self.choose(task)
            self.settle()
            if task['id'] == 'track':
                continue
            self.after(lambda: self.give_input(task), '%s: no answer for the input' % task['id'])
            self.settle()
            expect(self.problem() == '', '%s: %s' % (task['id'], self.problem()))
            expect(self.browser.find('#outcome').text != '', '%s: no outcome' % task['id'])
            expect(self.browser.script('return document.getElementById("swift").textContent') != '', '%s: no code' % task['id'])
        return '%d tasks' % len(self.tasks)

    def test_missing_model(self):
        tasks = [task for task in self.data['tasks'] if not task['models']]
        for task in tasks:
            self.choose(task)
            text = self.browser.find('#missing').text
            expect((task['missing'] or '') in text, '%s: the command is not shown' % task['id'])
        return '%d tasks without a model' % len(tasks)

    def test_drop_and_paste(self):
        task = self.task('image')
        self.choose(task)
        self.settle()
        with open(os.path.join(self.folder, 'b.png'), 'rb') as file:
            content = base64.b64encode(file.read()).decode()
        for event in ('drop', 'paste'):
            self.after(lambda: self.browser.script('''
                const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
                const transfer = new DataTransfer();
                transfer.items.add(new File([bytes], "b.png", { type: "image/png" }));
                document.getElementById("stage").dispatchEvent(arguments[1] === "drop" ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
                  : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));''', content, event), 'no answer after ' + event)
            self.settle()
        # Another format, which the page converts to PNG.
        self.after(lambda: self.browser.script('''
            const canvas = document.createElement("canvas");
            canvas.width = 64; canvas.height = 48;
            canvas.getContext("2d").fillRect(10, 10, 20, 20);
            canvas.toBlob((blob) => {
              const transfer = new DataTransfer();
              transfer.items.add(new File([blob], "c.webp", { type: "image/webp" }));
              document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
            }, "image/webp");'''), 'no answer for WebP')
        return ''

    def test_broken_input(self):
        task = self.task('image')
        self.choose(task)
        self.after(lambda: self.give_input(task), 'no answer')
        self.settle()
        self.browser.script('document.getElementById("open-file").click();')
        self.browser.find('#file').send_keys(os.path.join(self.folder, 'broken.png'))
        self.browser.wait(lambda: 'broken.png' in self.problem(), 'no error for a file that is not an image')
        expect(self.browser.find('#problem').get_attribute('role') == 'alert', 'the error is no alert')
        self.after(lambda: self.give_input(task), 'the page does not go on after an error')
        self.browser.wait(lambda: self.problem() == '', 'the error stays after a success')
        return ''

    def set_control(self, option):
        """Changes a control, and returns the value that its request must have."""
        item = self.browser.find('[data-option="%s"]' % option['name'])
        before = self.browser.find('#option-' + option['name'])
        if option['kind'] == 'flag':
            before.click()
            return 'false' if option['default'] == 'true' else 'true'
        if option['kind'] == 'choice':
            value = next(choice for choice in option['choices'] if choice != option['default'])
            self.browser.script('arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event("input", { bubbles: true }));', before, value)
            return value
        if option['kind'] == 'text':
            value = option.get('placeholder') or 'cup'
            before.send_keys(value)
            return value
        ranges = item.find_elements(By.CSS_SELECTOR, '[type=range]')
        slider = (ranges or [before])[0]
        # From the keyboard, toward the side that has room.
        start = float(option['default']) if option['default'] else option['min']
        key = Keys.ARROW_RIGHT if start < option['max'] else Keys.ARROW_LEFT
        if not ranges:
            key = Keys.ARROW_UP if start < option['max'] else Keys.ARROW_DOWN
        slider.send_keys(key)
        slider.send_keys(key)
        return before.get_attribute('value')

    def test_each_control(self):
        moved = 0
        for task in self.tasks:
            if task['id'] == 'track' or not task['options']:
                continue
            self.open('#task=' + task['id'])
            self.settle()
            self.after(lambda: self.give_input(task), '%s: no answer' % task['id'])
            self.settle()
            changes = 0
            for option in task['options']:
                before, since = self.overlay(), len(self.queries())
                value = self.set_control(option)
                same = lambda text: text == value or (option['kind'] in ('number', 'integer') and text is not None and float(text) == float(value))
                self.browser.wait(lambda: any(same(query.get(option['name'])) for query in self.queries()[since:]), '%s: no request with %s=%s' % (task['id'], option['name'], value))
                self.settle()
                changes += self.overlay() != before
                item = self.browser.find('[data-option="%s"]' % option['name'])
                since = len(self.queries())
                item.find_element(By.CSS_SELECTOR, '.quiet').click()
                self.browser.wait(lambda: any(option['name'] not in query for query in self.queries()[since:]), '%s: reset of %s sends no request' % (task['id'], option['name']))
                self.settle()
                moved += 1
            has_overlay = not self.browser.script('return document.getElementById("frame").hidden') and not task['id'].startswith('classify')
            expect(changes > 0 or not has_overlay or not self.mock, '%s: no control changes the overlay' % task['id'])
        return '%d controls' % moved

    def test_address(self):
        task = next(task for task in self.tasks if any(option['kind'] in ('number', 'integer') for option in task['options']) and task['input'] == 'image')
        option = next(option for option in task['options'] if option['kind'] in ('number', 'integer'))
        value = str(option['max'])
        self.open('#task=%s&%s=%s' % (task['id'], option['name'], value))
        self.browser.wait(lambda: any(query.get(option['name']) == value for query in self.queries()), 'the options of the URL are not used')
        expect(float(self.browser.find('#option-' + option['name']).get_attribute('value')) == float(value), 'the control does not show the value of the URL')
        self.browser.find('#reset').click()
        self.browser.wait(lambda: self.browser.script('return location.hash') == '#task=' + task['id'], 'the URL keeps a reset option')
        self.open('#task=nonsense&x=1')
        expect(self.browser.find('#title').text != '', 'an unknown task of the URL shows nothing')
        return ''

    def test_old_answers(self):
        """Changes a control faster than answers arrive. The newest value must win."""
        task = next(task for task in self.tasks if any(option['kind'] == 'number' and option['default'] for option in task['options']) and task['input'] == 'image')
        option = next(option for option in task['options'] if option['kind'] == 'number' and option['default'])
        self.open('#task=' + task['id'])
        self.settle()
        slider = self.browser.find('[data-option="%s"] [type=range]' % option['name'])
        for _ in range(15):
            slider.send_keys(Keys.ARROW_RIGHT)
            time.sleep(0.1)
        self.settle()
        value = self.browser.find('#option-' + option['name']).get_attribute('value')
        command = self.browser.script('return document.getElementById("command").textContent')
        expect('--%s %s' % (option['name'], value) in command, 'the command %s is not that of the newest value, %s' % (command, value))
        return ''

    def replace_fetch(self, text):
        """Replaces the page's `fetch`. The text uses `real`, `path`, and `settings`, and `call` counts requests that run a task."""
        self.browser.script('''
            window.realFetch ??= window.fetch;
            const real = window.realFetch;
            let call = 0;
            window.fetch = async (path, settings) => {
              if (!path.startsWith("/api/run")) return real(path, settings);
              call += 1;
              %s
            };''' % text)

    def rerun(self):
        self.browser.script('const model = document.getElementById("model"); model.dispatchEvent(new Event("change"));')

    def test_bad_answers(self):
        """A bad answer costs one answer, whatever it is."""
        task = self.task('image')
        self.open('#task=' + task['id'])
        self.settle()
        self.after(lambda: self.give_input(task), 'no answer')
        self.settle()
        cases = {
            'return new Response("nonsense\\n");': 'JSON', 'return new Response("");': 'JSON', 'return new Response("oops", { status: 500 });': '500',
            'return new Response(JSON.stringify({ error: "the model is broken" }), { status: 422 });': 'the model is broken',
            'return new Response("{}", { status: 403 });': 'token', 'throw new TypeError("Failed to fetch");': 'swiftlet studio',
        }
        for text, problem in cases.items():
            self.replace_fetch(text)
            self.rerun()
            self.browser.wait(lambda: problem in self.problem(), 'no error for: ' + text)
            self.replace_fetch('return real(path, settings);')
            self.after(self.rerun, 'the page does not go on after: ' + text)
            expect(self.problem() == '', 'the error stays after: ' + text)
        # Results without their parts, and masks without their bytes.
        for result in ('{}', '{"detections":null}', '{"faces":[{"landmarks":[]}]}', '{"hands":[{}]}', '{"poses":[{"landmarks":[]}]}', '{"classifications":[]}', '{"pose":null,"face":null,"left_hand":null,"right_hand":null}'):
            self.replace_fetch('return new Response(`{"width":4,"height":4,"result":%s,"masks":[{"kind":"category","width":4,"height":4,"offset":0,"length":16}]}\n`);' % result)
            self.after(self.rerun, 'no answer for ' + result)
            expect(self.problem() == '', '%s: %s' % (result, self.problem()))
        self.replace_fetch('return call < 3 ? new Response(`{"error":"busy"}`, { status: 503 }) : real(path, settings);')
        self.after(self.rerun, 'a busy server is not asked again')
        # The first answer arrives after the second one, although its request was canceled.
        self.replace_fetch('''
            if (call > 1) return real(path, settings);
            await new Promise((resolve) => setTimeout(resolve, 1500));
            return new Response(`{"result":{},"lines":["old"],"times":{},"command":"old"}\\n`);''')
        self.rerun()
        time.sleep(0.4)
        self.rerun()
        time.sleep(2)
        expect(self.browser.script('return document.getElementById("command").textContent') != 'old', 'an old answer replaces a newer one')
        self.replace_fetch('return real(path, settings);')
        return '%d forms' % (len(cases) + 9)

    def test_hostile_names(self):
        task = next((task for task in self.tasks if task['id'] == 'detect-objects'), self.task('image'))
        self.open('#task=' + task['id'])
        self.settle()
        self.after(lambda: self.give_input(task), 'no answer')
        self.settle()
        names = ['<img src=x onerror="document.title=1">', 'x' * 400, '\u202eabc', 'שלום', '', '🦜' * 40]
        detections = [{'box': {'x': index * 9 - 4, 'y': index * 9, 'width': 60, 'height': 40}, 'categories': [{'index': 0, 'score': 0.5, 'name': name, 'display_name': ''}], 'keypoints': []} for index, name in enumerate(names)]
        self.browser.script('window.hostile = arguments[0];', json.dumps({'width': 100, 'height': 100, 'result': {'detections': detections}, 'masks': [], 'lines': names, 'times': {}, 'code': names[0], 'command': names[1]}) + '\n')
        self.replace_fetch('return new Response(window.hostile);')
        for width in (390, 1280):
            self.browser.size(width, 860)
            self.after(self.rerun, 'no answer')
            expect(not self.browser.all('aside img') and not self.browser.all('.code img'), 'a name becomes markup')
            expect(names[0] in self.browser.find('#results').text, 'a name is not shown as text')
            expect(self.browser.script('return document.documentElement.scrollWidth') <= width, 'a long name makes the page wide')
            if self.screenshots:
                self.shot('hostile-%d' % width, width, 860)
        return ''

    def test_copy(self):
        self.open()
        self.settle()
        self.browser.driver.execute_cdp_cmd('Browser.grantPermissions', {'permissions': ['clipboardReadWrite', 'clipboardSanitizedWrite', 'videoCapture', 'audioCapture']})
        for view in ('swift', 'command'):
            self.browser.find('[data-view=%s]' % view).click()
            self.browser.find('#copy').click()
            self.browser.wait(lambda: self.browser.find('#copied').text == 'Copied', 'no confirmation')
            text = self.browser.driver.execute_async_script('navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))')
            expect(text == self.browser.script('return document.getElementById(arguments[0]).textContent', view) and text != '', 'the clipboard has other text: ' + text)
        return ''

    def press(self, *keys):
        ActionChains(self.browser.driver).send_keys(*keys).perform()

    def tab_to(self, condition, message, key=Keys.TAB):
        for _ in range(80):
            if self.browser.script('const chosen = document.activeElement; return ' + condition):
                style = self.browser.script('const chosen = document.activeElement; return chosen.matches(":focus-visible") ? getComputedStyle(chosen).outlineStyle : "none"')
                expect(style != 'none', message + ': the focus is not visible')
                return
            self.press(key)
        raise Failure(message + ': not reachable with Tab')

    def test_keyboard(self):
        """Chooses a task, changes an option, and copies the code with the keyboard alone."""
        self.open()
        self.settle()
        task = next(task for task in self.tasks if any(option['kind'] == 'number' for option in task['options']) and task['input'] == 'image')
        option = next(option for option in task['options'] if option['kind'] == 'number')
        self.tab_to('chosen.dataset.task !== undefined', 'the tasks')
        self.press(Keys.HOME)
        for _ in self.data['tasks']:
            if self.browser.script('return document.activeElement.dataset.task') == task['id']:
                break
            self.press(Keys.ARROW_DOWN)
        self.press(Keys.ENTER)
        self.browser.wait(lambda: self.browser.find('#title').text == task['title'], 'Enter does not choose the task')
        self.settle()
        has_samples = bool(self.browser.all('[data-sample]'))
        for selector in ['#model', '#inspect', '#open-file'] + ['[data-sample]'] * has_samples + ['#view-swift', '#copy']:
            self.tab_to('chosen.matches(\'%s\')' % selector, selector)
        self.tab_to('chosen.id === "option-%s"' % option['name'], 'the option')
        since = len(self.queries())
        value = '%.2f' % (option['min'] + 0.61 * (option['max'] - option['min']))
        ActionChains(self.browser.driver).key_down(Keys.CONTROL).send_keys('a').key_up(Keys.CONTROL).send_keys(value).perform()
        self.browser.wait(lambda: any(float(query.get(option['name'], 'nan')) == float(value) for query in self.queries()[since:]), 'a typed value makes no request')
        self.tab_to('chosen.id === "copy"', 'the copy button', key=Keys.SHIFT + Keys.TAB)
        self.press(Keys.SPACE)
        self.browser.wait(lambda: self.browser.find('#copied').text != '', 'no confirmation')
        return ''

    def test_names(self):
        """Every control has a name for screen readers."""
        roles = ('button', 'checkbox', 'combobox', 'slider', 'spinbutton', 'textbox', 'tab', 'image', 'link', 'dialog', 'Iframe', 'application')
        seen = 0
        for task in self.data['tasks']:
            self.choose(task)
            self.settle()
            for node in self.browser.driver.execute_cdp_cmd('Accessibility.getFullAXTree', {})['nodes']:
                role = node.get('role', {}).get('value')
                if node.get('ignored') or role not in roles:
                    continue
                seen += 1
                expect(node.get('name', {}).get('value'), '%s: a %s has no name' % (task['id'], role))
        return '%d names' % seen

    def test_point(self):
        task = self.task('image-point')
        if task is None:
            return 'skipped: no interactive model'
        self.open('#task=' + task['id'])
        self.settle()
        self.after(lambda: self.give_input(task), 'no answer')
        self.settle()
        before, since = self.overlay(), len(self.queries())
        self.browser.script('document.getElementById("frame").focus()')
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        self.browser.wait(lambda: any(query.get('point') == '0.5400,0.5200' for query in self.queries()[since:]), 'arrow keys do not move the point')
        self.settle()
        expect(self.overlay() != before, 'the crosshair does not move')
        since = len(self.queries())
        ActionChains(self.browser.driver).move_to_element_with_offset(self.browser.find('#frame'), 40, -30).click().perform()
        self.browser.wait(lambda: len(self.queries()) > since and self.queries()[-1]['point'] != '0.5400,0.5200', 'a click does not move the point')
        return ''

    def start_camera(self, task):
        self.choose(task)
        self.browser.find('#camera').click()
        self.browser.wait(lambda: self.sent() > 0, 'the camera does not start')

    def sent(self):
        return int(self.browser.script('return document.getElementById("rate").hidden ? 0 : document.getElementById("rate").dataset.sent ?? 0'))

    def test_camera(self):
        self.open()
        live = [task for task in self.tasks if task['isLive']]
        first = live[0]
        self.start_camera(first)
        before, start = self.answers(), time.monotonic()
        time.sleep(self.seconds)
        rate = (self.answers() - before) / (time.monotonic() - start)
        expect(rate > 1, 'only %.1f frames per second' % rate)
        text = self.browser.find('#rate').text
        for word in ('frames/s', 'p50', 'p95', 'dropped'):
            expect(word in text, 'the rate shows no ' + word)
        frames = [query for query in self.queries() if 'session' in query]
        times = [int(query['at']) for query in frames if query['session'] == frames[-1]['session']]
        expect(times == sorted(set(times)), 'the times of the frames do not increase')
        sessions = {query['session'] for query in frames}
        option = next((option for option in first['options'] if option['kind'] in ('number', 'integer')), None)
        if option:
            value = self.set_control(option)
            self.browser.wait(lambda: any(float(query.get(option['name'], 'nan')) == float(value) and query['session'] not in sessions for query in self.queries() if 'session' in query), 'a changed option does not reach the frames with a new session')
        memory = self.browser.script('return performance.memory ? performance.memory.usedJSHeapSize / 1e6 : 0')
        for task in live[1:]:
            before = self.answers()
            self.choose(task)
            self.browser.wait(lambda: self.answers() > before + 3, '%s: no results from the camera' % task['id'])
            expect(self.problem() == '', '%s: %s' % (task['id'], self.problem()))
        self.browser.find('#stop').click()
        time.sleep(0.5)
        before = self.answers()
        time.sleep(1)
        expect(self.answers() <= before + 1, 'the camera goes on after Stop')
        return '%.1f frames/s in %g s, %d MB of JavaScript, then %d tasks (%s)' % (rate, self.seconds, memory, len(live), text.replace('\n', ' '))

    def test_reconnect(self):
        if not self.mock:
            return 'skipped: needs the server with canned results'
        self.open()
        self.start_camera(next(task for task in self.tasks if task['isLive']))
        time.sleep(1)
        self.mock.stop()
        self.browser.wait(lambda: 'Connection lost' in self.browser.find('#state').text, 'the page does not say that the connection is lost')
        expect(self.problem() != '', 'no alert')
        time.sleep(2.5)
        before = self.answers()
        self.mock.start()
        self.browser.wait(lambda: self.answers() > before + 3, 'the page does not reconnect', 10)
        self.browser.wait(lambda: self.problem() == '' and not self.browser.find('#state').is_displayed(), 'the error stays after the reconnection')
        self.browser.find('#stop').click()
        # Still images recover, too.
        self.settle()
        self.mock.stop()
        self.browser.find('#model').send_keys(Keys.ARROW_DOWN)
        self.browser.wait(lambda: 'swiftlet studio' in self.problem(), 'no error for a still image without a server')
        self.mock.start()
        self.after(lambda: self.browser.find('#model').send_keys(Keys.ARROW_UP), 'a still image does not recover')
        self.browser.wait(lambda: self.problem() == '', 'the error stays')
        self.browser.read_errors(may_lose_connection=True)
        return ''

    def test_microphone(self):
        task = self.task('sound')
        if task is None:
            return 'skipped: no audio task'
        self.open('#task=' + task['id'])
        self.settle()
        before = self.answers()
        self.browser.find('#microphone').click()
        self.browser.wait(lambda: self.answers() > before + 2, 'no results from the microphone')
        expect(self.problem() == '', self.problem())
        self.browser.find('#stop').click()
        self.browser.wait(lambda: self.browser.find('#player').is_displayed(), 'the last second cannot be played')
        return ''

    def test_video(self):
        """Records the fake camera into a file, and opens it."""
        self.open()
        task = self.task('image', live=True)
        self.choose(task)
        self.settle()
        before = self.answers()
        result = self.browser.driver.execute_async_script('''
            const done = arguments[0];
            navigator.mediaDevices.getUserMedia({ video: { width: 320, height: 240 } }).then((stream) => {
              const recorder = new MediaRecorder(stream, { mimeType: "video/webm" }), parts = [];
              recorder.ondataavailable = (event) => parts.push(event.data);
              recorder.onstop = () => {
                stream.getTracks().forEach((track) => track.stop());
                const transfer = new DataTransfer();
                transfer.items.add(new File(parts, "clip.webm", { type: "video/webm" }));
                document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
                done("recorded");
              };
              recorder.start();
              setTimeout(() => recorder.stop(), 2500);
            }).catch((error) => done(String(error)));''')
        expect(result == 'recorded', result)
        self.browser.wait(lambda: self.answers() > before + 5, 'no results from the video file')
        self.browser.wait(lambda: self.browser.find('#again').is_displayed(), 'the video does not end')
        expect(self.browser.find('#frame').is_displayed(), 'the last frame is not shown')
        if task['options']:
            since = len(self.queries())
            self.set_control(task['options'][0])
            self.browser.wait(lambda: any(query.get('at') == '0' for query in self.queries()[since:]), 'a changed option does not run on the last frame')
            self.settle()
            expect(self.problem() == '', self.problem())
        before = self.answers()
        self.browser.find('#again').click()
        self.browser.wait(lambda: self.answers() > before + 5, 'the video does not play again')
        self.browser.find('#stop').click()
        return ''

    def test_inspector(self):
        self.open()
        self.settle()
        self.browser.find('#inspect').click()
        frame = lambda: self.browser.all('#report iframe')
        self.browser.wait(lambda: frame(), 'no report')
        expect(frame()[0].get_attribute('sandbox') == 'allow-scripts' and frame()[0].get_attribute('src').startswith('blob:'), 'the report is not in a sandbox')
        self.browser.driver.switch_to.frame(frame()[0])
        self.browser.wait(lambda: self.browser.script('return document.body.dataset.ready'), "the report's script does not run")
        self.browser.driver.switch_to.default_content()
        self.browser.find('#show-layers').click()
        self.browser.wait(lambda: frame() and frame()[0].get_attribute('title') == 'Time by layer', 'no time by layer', 180)
        self.press(Keys.ESCAPE)
        self.browser.wait(lambda: not self.browser.find('#inspector').is_displayed(), 'Escape does not close the report')
        model = os.path.join(FOLDER, '..', '..', 'Models', 'face_detector.tflite')
        other = os.path.join(FOLDER, '..', '..', 'Models', 'face_detector_int8.tflite')
        for files, title in (([model], 'Graph and findings of the model'), ([model, other], 'Comparison of two models')):
            self.browser.find('#model-file').send_keys('\n'.join(os.path.realpath(file) for file in files))
            self.browser.wait(lambda: frame() and frame()[0].get_attribute('title') == title, 'no report of %d files' % len(files))
            self.browser.find('#close-inspector').click()
        return ''

    def test_layout(self):
        """Takes screenshots, and checks that nothing is wider than the window."""
        names = [task['id'] for task in self.tasks] if self.screenshots else [self.tasks[0]['id']]
        for width, height in ((390, 844), (768, 1024), (1024, 768), (1280, 860), (1920, 1080)):
            for theme in ('light', 'dark'):
                self.browser.size(width, height, theme)
                for name in names if width in (390, 1280) else names[:1]:
                    self.open('#task=' + name)
                    self.settle()
                    wide = self.browser.script('return document.documentElement.scrollWidth')
                    expect(wide <= width, '%s: %d pixels wide in a window of %d' % (name, wide, width))
                    if self.screenshots:
                        self.shot('%s-%d-%s' % (name, width, theme), width, height)
        self.browser.size(1280, 860)
        return ''

    def shot(self, name, width, height):
        os.makedirs(self.screenshots, exist_ok=True)
        full = self.browser.script('return document.documentElement.scrollHeight') if width < 900 else height
        self.browser.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {'width': width, 'height': max(height, full), 'deviceScaleFactor': 1, 'mobile': False})
        time.sleep(0.2)
        self.browser.driver.save_screenshot(os.path.join(self.screenshots, name + '.png'))
        self.browser.driver.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False})


ORDER = ['each_task', 'missing_model', 'drop_and_paste', 'broken_input', 'each_control', 'address', 'old_answers', 'bad_answers', 'hostile_names', 'copy', 'keyboard', 'names', 'point', 'camera',
         'video', 'microphone', 'inspector', 'layout', 'reconnect']


def write_inputs(folder):
    for number, name in enumerate(('a.png', 'b.png')):
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(mock_server.scene(number, 200, 150))
    with open(os.path.join(folder, 'broken.png'), 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\nbroken')
    with wave.open(os.path.join(folder, 'tone.wav'), 'wb') as file:
        file.setparams((1, 2, 16000, 0, 'NONE', ''))
        file.writeframes(struct.pack('<32000h', *(x % 400 * 40 - 8000 for x in range(32000))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--url')
    parser.add_argument('--seconds', type=float, default=6)
    parser.add_argument('--screenshots')
    parser.add_argument('--only', help='the names of steps, separated by commas')
    given = parser.parse_args()
    mock = None if given.url else Mock()
    browser, failures = None, 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(folder)
            browser = Browser()
            browser.size(1280, 860)
            steps = Steps(browser, given.url or mock.url, mock, given.seconds, given.screenshots, folder)
            steps.open()
            for name in given.only.split(',') if given.only else ORDER:
                start = time.monotonic()
                note = getattr(steps, 'test_' + name)()
                browser.read_errors()
                print('%-15s passed in %.1f s%s' % (name, time.monotonic() - start, ': ' + note if note else ''), flush=True)
    except Failure as failure:
        print('%-15s FAILED: %s' % (name, failure))
        browser.driver.save_screenshot(os.path.join(tempfile.gettempdir(), 'studio-failure.png'))
        failures = 1
    finally:
        if browser:
            browser.driver.quit()
        if mock:
            mock.stop()
    sys.exit(failures)


if __name__ == '__main__':
    main()
