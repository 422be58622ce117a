"""`scoreline bench`: figures, each with what it is compared with in the same run."""

from cyclopts import App

from services.cli.bench.pipeline import pipeline

app = App(name="bench", help="Measure, beside what the figures are compared with in the same run.")
app.command(pipeline)
