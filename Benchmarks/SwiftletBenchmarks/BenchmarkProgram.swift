import Foundation
import SwiftletCommandLine
import SwiftletMeasurement

/// Runs the suites, prints results as they become available, and writes the requested files.
struct BenchmarkProgram {
  private let options: BenchmarkOptions
  private var report: BenchmarkReport
  private var failureCount = 0

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, for: BenchmarkOptions.declaration)
    if arguments.flag("help") {
      StandardStreams.outputStyled(HelpText.standard.command(BenchmarkOptions.declaration))
      return 0
    }
    var program = BenchmarkProgram(try BenchmarkOptions(arguments))
    try program.measure()
    try program.write()
    return program.failureCount == 0 ? 0 : 1
  }

  private init(_ options: BenchmarkOptions) {
    self.options = options
    report = BenchmarkReport(options)
  }

  private mutating func measure() throws {
    if options.includes(.mixedSoak) { return try soak() }
    let kernels = options.includes(.kernels) ? OperatorCases.all.filter { options.includes($0.name) } : []
    let shapes = options.includes(.shapes) ? ShapeSuite.cases(options) : []
    let models = options.includes(.models) ? options.models() : []
    let tasks =
      options.includes(.tasks) ? TaskCase.all(threads: options.threads).filter { options.includes($0.name) } : []
    let streams =
      options.includes(.soak) ? SoakSuite.all(threads: options.threads).filter { options.includes($0.name) } : []
    let tracking = options.includes(.tracking) ? TrackingSuite.cases(options) : []
    let scaled = options.includes(.scaling) ? options.models() : []
    guard
      !scaled.isEmpty || !kernels.isEmpty || !shapes.isEmpty || !models.isEmpty || !tasks.isEmpty || !tracking.isEmpty
        || !streams.isEmpty
    else {
      throw UsageError(
        options.filter.map { "nothing to measure has '\($0)' in its name" }
          ?? "there is nothing to measure; name some with --models, or the folder of the test data with SWIFTLET_TEST_DATA"
      )
    }
    let peers = kernels.isEmpty && models.isEmpty ? [] : try ModelPeer.all(options)
    report.peers += peers.map(\.version)
    if !kernels.isEmpty { try measure(kernels, peer: peers.first { $0.engine == .liteRT }) }
    if !shapes.isEmpty { try measure(shapes) }
    if !models.isEmpty { try measure(models, peers: peers) }
    if !scaled.isEmpty { try scale(scaled) }
    if !tasks.isEmpty { try measure(tasks) }
    if !tracking.isEmpty { try measure(tracking) }
    if !streams.isEmpty { try measure(streams) }
  }

  private mutating func measure(_ kernels: [OperatorCase], peer: ModelPeer?) throws {
    let peaks = try MachinePeaks.measure(seconds: min(0.5, options.seconds))
    report.peaks = peaks
    StandardStreams.output(
      peaks.text
        + "\nThe fastest tenth of the runs, on one thread; the peak is that of arithmetic or of memory traffic, whichever bounds.\n\n"
        + KernelResult.header(hasPeer: peer != nil))
    let suite = try KernelSuite(options, peer: peer)
    try forEach("kernels", kernels, name: \.name) { program, item in
      let result = try suite.measure(item)
      program.report.kernels.append(result)
      return result.row
    }
  }

  private mutating func measure(_ shapes: [ShapeSuite.Case]) throws {
    let suite = try ShapeSuite(options)
    let peaks = try MachinePeaks.measure(seconds: min(0.5, options.seconds))
    report.peaks = peaks
    report.callTime = try suite.callTime()
    StandardStreams.output(
      peaks.text + String(format: "  a run of the smallest model: %.2f µs\n", (report.callTime ?? 0) * 1000)
        + "\nRandom shapes, seed \(options.seed): the fastest tenth of the runs, and the share of the roofline.\n\n"
        + ShapeResult.header)
    try forEach("shapes", shapes, name: { "\($0.draw.name), \(Self.threadText($0.threads))" }) { program, item in
      let result = try suite.measure(item)
      program.report.shapes.append(result)
      return result.row
    }
    StandardStreams.output(ShapeGroup.summary(report.shapes))
  }

  private mutating func measure(_ models: [BenchmarkOptions.ModelFile], peers: [ModelPeer]) throws {
    let peaks = try report.peaks ?? MachinePeaks.measure(seconds: min(0.5, options.seconds))
    report.peaks = peaks
    StandardStreams.output("\n\(ModelTable.note)\n\n\(ModelTable.header(peers.map(\.engine)))")
    let suite = try ModelSuite(options, peers: peers, peaks: peaks)
    let work = models.flatMap { model in options.threads.map { (model: model, threads: $0) } }
    try forEach("models", work, name: { "\($0.model.name), \(Self.threadText($0.threads))" }) { program, item in
      let result = try suite.measure(name: item.model.name, path: item.model.path, threads: item.threads)
      program.report.models.append(result)
      return ModelTable.row(result)
    }
    StandardStreams.output(
      ModelTable.losses(report.models) + ModelTable.summary(RatioGroup.groups(report.models)))
  }

  private mutating func scale(_ models: [BenchmarkOptions.ModelFile]) throws {
    let suite = ScalingSuite(options)
    report.handover = suite.handover
    StandardStreams.output(
      "\nHow many times as fast as on one thread: simulated, in brackets measured. Another core notices in \(Int(suite.handover)) ns.\n\n"
        + ScalingResult.header(options.threads.filter { $0 > 1 }))
    try forEach("scaling", models, name: \.name) { program, item in
      let result = try suite.measure(name: item.name, path: item.path)
      program.report.scaling.append(result)
      return result.row
    }
    StandardStreams.output(ScalingResult.summary(report.scaling))
  }

  private mutating func measure(_ tasks: [TaskCase]) throws {
    let peaks = try report.peaks ?? MachinePeaks.measure(seconds: min(0.5, options.seconds))
    report.peaks = peaks
    let suite = try TaskSuite(options, peaks: peaks)
    report.peers += [suite.peerVersion].compactMap(\.self)
    StandardStreams.output(
      "\nTasks: from the decoded image to the result, in ms.\n\n" + TaskResult.header(hasPeer: options.python != nil))
    try forEach("tasks", tasks, name: { "\($0.name), \(Self.threadText($0.threads))" }) { program, item in
      let result = try suite.measure(item)
      program.report.tasks.append(result)
      return result.row
    }
    StandardStreams.output(TaskResult.summary(report.tasks))
  }

  private mutating func measure(_ tracking: [TrackingSuite.Case]) throws {
    let suite = TrackingSuite(options)
    StandardStreams.output(
      "\nTracker: all sequences of a scenario together; µs is the median of updates.\n\n" + TrackingResult.header)
    try forEach("tracking", tracking, name: \.name) { program, item in
      let results = try suite.measure(item)
      program.report.tracking += results
      program.failureCount += results.count { $0.isTargetMet == false }
      return results.last?.row ?? ""
    }
  }

  private mutating func measure(_ streams: [SoakSuite.Case]) throws {
    let suite = try SoakSuite(options)
    StandardStreams.output(
      "\nLive streams: growth is how far the peak of memory rose after the first tenth of the frames.\n\n"
        + SoakResult.header)
    try forEach("soak", streams, name: { "\($0.name), \(Self.threadText($0.threads))" }) { program, item in
      let result = try suite.measure(item)
      program.report.streams.append(result)
      return result.row
    }
  }

  private mutating func soak() throws {
    let folder = try TemporaryFolder()
    let soak = try MixedSoak(
      minutes: options.minutes, threads: options.threads[0], folder: folder, isIncluded: options.includes)
    guard soak.hasWork else { throw UsageError("no work of mixed-soak has '\(options.filter ?? "")' in its name") }
    do {
      let result = try soak.run { part, usage in
        let text =
          usage.map { ": \($0.residentBytes / 1_000_000) MB, \($0.descriptors) descriptors, \($0.threads) threads" }
          ?? ""
        StandardStreams.error("[\(part + 1)/\(MixedSoak.partCount)] mixed soak\(text)\n")
      }
      report.mixedSoak = result
      StandardStreams.output(result.table)
      failureCount += result.risen.count
    } catch let error as MeasurementFailure {
      failureCount += 1
      StandardStreams.error("error: \(error)\n")
    }
  }

  private static func threadText(_ count: Int) -> String { "\(count) thread\(count == 1 ? "" : "s")" }

  /// Measures the items one after the other and prints a line for each. Items that cannot be measured are reported and
  /// counted, and the others still run.
  private mutating func forEach<Item>(
    _ title: String, _ items: [Item], name: (Item) -> String, _ body: (inout BenchmarkProgram, Item) throws -> String
  ) throws {
    var progress = BenchmarkProgress(title, total: items.count)
    for item in items {
      progress.begin(name(item))
      do {
        let row = try body(&self, item)
        progress.interrupt { StandardStreams.output(row) }
      } catch let error as MeasurementFailure {
        failureCount += error.isForInput ? 0 : 1
        let kind = error.isForInput ? "not measured, it has no result for synthetic inputs" : "error"
        progress.interrupt { StandardStreams.error("\(kind): \(error)\n") }
      }
    }
    progress.finish()
  }

  private func write() throws {
    if let file = options.jsonFile { try AtomicFile.write(Array((report.json.text + "\n").utf8), to: file) }
    if let file = options.chartFile { try AtomicFile.write(Array(RatioChart(report).svg.utf8), to: file) }
  }
}
