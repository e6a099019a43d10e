"""Our command-line tool."""
import json
import os
import subprocess


class Tool:
    def __init__(self, path, threads, folder):
        self.path, self.threads, self.folder = path, threads, folder

    def run(self, command, pictures, model, rotation, *options):
        """The JSON objects of the pictures."""
        arguments = [self.path, command] + pictures + ['--detector' if command == 'track' else '--model', model, '--threads', str(self.threads), '--rotate', str(rotation), '--json']
        process = subprocess.run(arguments + list(options), capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(process.stderr.strip())
        document = json.loads(process.stdout)
        return document if isinstance(document, list) else [document]

    def file(self, name):
        return os.path.join(self.folder, name)
