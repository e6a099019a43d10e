import Foundation
import SwiftletCommandLine
import SwiftletKernels
import SwiftletMeasurement

/// Runs the suites, prints what they find as they find it, and writes the files that were asked for.
enum BenchmarkProgram {
  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, for: BenchmarkOptions.declaration)
    if arguments.flag("help") {
      StandardStreams.output(HelpText.command(BenchmarkOptions.declaration))
      return 0
    }
    let options = try BenchmarkOptions(arguments)
    var hasFailed = false
    var report = BenchmarkReport(options)
    if options.suite == .models || options.suite == .all {
      hasFailed = try !measureModels(options, into: &report) || hasFailed
    }
    if let file = options.jsonFile { try AtomicFile.write(Array((report.json.text + "\n").utf8), to: file) }
    return hasFailed ? 1 : 0
  }

  /// Returns whether all models could be measured.
  private static func measureModels(_ options: BenchmarkOptions, into report: inout BenchmarkReport) throws -> Bool {
    let models = options.models()
    guard !models.isEmpty else {
      throw UsageError("there is no model to measure; name some with --models, or the test data's folder with SWIFTLET_TEST_DATA")
    }
    let suite = try ModelSuite(options)
    report.peers += [suite.peerVersion].compactMap(\.self)
    var progress = BenchmarkProgress("models", total: models.count * options.threads.count)
    StandardStreams.output(ModelTable.note + "\n\n" + ModelTable.header(hasPeer: options.python != nil))
    var failures = 0
    for (name, path) in models {
      for threads in options.threads {
        progress.begin("\(name), \(threads) thread\(threads == 1 ? "" : "s")")
        do {
          let result = try suite.measure(name: name, path: path, threads: threads)
          report.models.append(result)
          progress.interrupt { StandardStreams.output(ModelTable.row(result)) }
        } catch let error as MeasurementFailure {
          failures += 1
          progress.interrupt { StandardStreams.error("error: \(error)\n") }
        }
      }
    }
    progress.finish()
    StandardStreams.output(ModelTable.summary(RatioGroup.groups(report.models)))
    return failures == 0
  }
}
