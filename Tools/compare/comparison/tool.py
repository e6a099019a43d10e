"""Swiftlet's command-line tool."""
import json
import os
import subprocess


class Tool:
    def __init__(self, path, threads, folder):
        self.path, self.threads, self.folder = path, threads, folder

    def run(self, command, images, model, rotation, *options):
        """Returns the JSON objects of images."""
        return self.documents([command] + images + ['--detector' if command == 'track' else '--model', model, '--threads', str(self.threads), '--rotate', str(rotation), *options])

    def run_texts(self, command, texts, model, *options):
        """Returns the JSON objects of texts."""
        return self.documents([command, '--model', model, '--threads', str(self.threads), *options, '--', *texts])

    def documents(self, arguments):
        command, *rest = arguments
        process = subprocess.run([self.path, command, '--json', *rest], capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(process.stderr.strip())
        document = json.loads(process.stdout)
        return document if isinstance(document, list) else [document]

    def file(self, name):
        return os.path.join(self.folder, name)
