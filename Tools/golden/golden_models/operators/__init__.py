"""One module per family; importing them fills the registry."""
import importlib
import os

for file in sorted(os.listdir(os.path.dirname(__file__))):
    if file.endswith('.py') and file != '__init__.py':
        importlib.import_module('%s.%s' % (__name__, file[:-3]))

from golden_models import other_types  # noqa: E402

other_types.derive()
