"""Play ten matches with Inspect's mock model, which names its lowest number."""

import json
import re
from tempfile import TemporaryDirectory

from evenodds_inspect import evenodds
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def lowest(messages: list, *_: object) -> ModelOutput:
    """An answer to the last question; with usage, so that no tokenizer is downloaded."""
    legal = json.loads(re.findall(r'"legal": (\[.*?\])', messages[-1].text)[-1])
    output = ModelOutput.from_content("mockllm", f"I take the lowest.\nPICK: {legal[0]}")
    output.usage = ModelUsage()
    return output


model = get_model("mockllm/model", custom_outputs=lowest)
with TemporaryDirectory() as folder:
    (log,) = evaluate(evenodds(), model=model, display="plain", log_dir=folder)
assert log.status == "success", log.error
assert log.results is not None
figures = {score.name: score.metrics["mean"].value for score in log.results.scores}
print(figures)
assert figures["faults"] == 0
assert 0 < figures["exactness"] < 1
