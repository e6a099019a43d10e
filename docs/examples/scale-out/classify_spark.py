#!/usr/bin/env python3
"""Classifies images with Apache Spark into a DataFrame, with one long-lived swiftlet process per core.

    spark-submit classify_spark.py --swiftlet .build/release/swiftlet --images photos --output found.parquet
    spark-submit classify_spark.py --swiftlet swiftlet --list paths.txt --output hdfs:///found -- --model mobilenet.tflite --max-results 3

Arguments after -- are passed to swiftlet. All workers must be able to read the paths, the program, and the model.
A bad image is a row with an error. If a worker dies, Spark repeats its partition and uses the rows of the successful
attempt, so every image has exactly one row.
"""

import argparse
import os
import pathlib
import shlex
import sys

from pyspark.sql import SparkSession

SCHEMA = """
image STRING, error STRING,
classifications ARRAY<STRUCT<head_index: INT, head_name: STRING,
  categories: ARRAY<STRUCT<index: INT, score: DOUBLE, name: STRING, display_name: STRING>>>>
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--swiftlet", default="swiftlet", help="the program")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--images", help="a folder, searched to its end")
    source.add_argument("--list", help="a file of paths, one a line; may be too large for one machine")
    parser.add_argument("--output", required=True, help="the folder of the DataFrame, which must not be there")
    parser.add_argument("--format", default="parquet", choices=["parquet", "json"])
    parser.add_argument("--per-process", type=int, default=1000, help="images that one process is given")
    parser.add_argument("--worker", help="another program in place of swiftlet-worker SWIFTLET classify")
    parser.add_argument("options", nargs="*", help="options of swiftlet classify")
    return parser.parse_args()


def main():
    options = arguments()
    spark = SparkSession.builder.appName("swiftlet classify").getOrCreate()
    context = spark.sparkContext
    if options.list:
        paths = context.textFile(options.list)
        count = paths.count()
    else:
        found = [str(path) for path in sorted(pathlib.Path(options.images).rglob("*")) if path.suffix.lower() in (".png", ".jpg", ".jpeg")]
        paths, count = context.parallelize(found), len(found)
    # Create enough partitions to keep all cores busy to the end. Each partition is one process that loads the model
    # once.
    partitions = max(context.defaultParallelism, -(-count // options.per_process))
    if options.worker:
        command = shlex.split(options.worker)
    else:
        here = pathlib.Path(__file__).resolve().parent
        command = [str(here / "swiftlet-worker"), options.swiftlet, "classify"]
    # pipe() starts a process with only the given environment.
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH", "SWIFTLET_MODELS", "TMPDIR") if name in os.environ}
    # checkCode: if a process is killed, some of its lines are missing, so its partition must be repeated.
    lines = paths.repartition(partitions).pipe(shlex.join(command + options.options), env=environment, checkCode=True)
    spark.read.json(lines, schema=SCHEMA).write.format(options.format).save(options.output)

    frame = spark.read.schema(SCHEMA).format(options.format).load(options.output)
    rows, failures = frame.count(), frame.where("error IS NOT NULL").count()
    print(f"{count} images, {rows} rows, {failures} of them errors")
    spark.stop()
    return 0 if rows == count else 1


if __name__ == "__main__":
    sys.exit(main())
