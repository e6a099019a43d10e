import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletKernels
import SwiftletTestSupport

/// The options of a benchmark run: the suites to measure, and the destinations of results.
struct BenchmarkOptions {
  enum Suite: String, CaseIterable {
    case kernels, shapes, models, tasks, tracking, scaling, soak
    case mixedSoak = "mixed-soak"
    case all
  }

  static let declaration = CommandDeclaration(
    name: "swiftlet-benchmarks",
    summary:
      "benchmark kernels, models, tasks, and the tracker, alone or interleaved with LiteRT, OpenVINO, MNN, and MediaPipe",
    options: [
      .value(
        "suite", .choice(of: Suite.self),
        "the suite to run (default: all, which excludes shapes, scaling, soak, and mixed-soak)"),
      .value(
        "models", .file(".tflite"), as: "DIR|FILE",
        "the models to measure; may be repeated (default: 'models' in the test data)", isRepeatable: true),
      .value("filter", "TEXT", "only measure items whose name contains TEXT"),
      .value(
        "threads", "N,N…",
        "thread counts (default: 1,2; for shapes 1; for scaling 2,4,8,16; for mixed-soak one count, 64)"),
      .value(
        "seconds", .number(0.01...3600), "seconds per model and task, all engines together (default: 3)"),
      .value(
        "sequences", .folder,
        "sequence directories in MOT Challenge format to track; may be repeated (default: synthetic sequences)",
        isRepeatable: true),
      .value(
        "tracks", "NAME",
        "score the file NAME in each sequence directory, such as another tracker's output, instead of tracking"),
      .value("output", .folder, "write the sequences and tracks in MOT Challenge format"),
      .value("count", .integer(1...1_000_000), "draws of shapes (default: 200)"),
      .value("seed", .integer(0...Int.max), "the seed of the draws of shapes (default: 1)"),
      .value("frames", .integer(1...100_000_000), "frames per live stream of soak (default: 10000)"),
      .value("minutes", .number(0.01...10_000), "minutes of mixed-soak (default: 30)"),
      .value(
        "peers", .file(), as: "PYTHON",
        "also measure other engines with this Python; Tools/peers/set-up creates one"),
      .value(
        "engines", "NAME,NAME…",
        "the engines to compare models with: litert, openvino, mnn (default: those that the Python of --peers has)"),
      .value("isa", "NAME", "the kernel set (default: the best that the CPU supports; also SWIFTLET_ISA)"),
      .value("numerics", .choice(of: Numerics.self), "the rounding of integer operators (default: fast)"),
      .value(
        "precision", .choice(of: Precision.self),
        "the precision of floating-point matrix products; reduced is faster (default: full)"),
      .value("json", .file(".json"), "write the results as JSON"),
      .value("chart", .file(".svg"), as: "FILE.svg", "write a chart of the ratios to the peers"),
      .flag("help", "print this"),
    ],
    notes:
      "The test data is in the directory SWIFTLET_TEST_DATA (default: ../shared next to the package). Build with -c release."
  )

  var suite: Suite
  var modelPaths: [String]
  var filter: String?
  var threads: [Int]
  var seconds: Double
  var sequencePaths: [String]
  var tracksFile: String?
  var outputFolder: String?
  var count: Int
  var seed: Int
  var frames: Int
  var minutes: Double
  var python: String?
  /// The engines to compare models with; `nil` for all that the Python environment has.
  var engines: [PeerProcess.Engine]?
  var numerics: Numerics
  var precision: Precision
  var jsonFile: String?
  var chartFile: String?

  /// Parses the options.
  ///
  /// - Throws: `UsageError` for invalid arguments. At that point only the kernels have been selected.
  init(_ arguments: Arguments) throws(UsageError) {
    suite = arguments.choice("suite", as: Suite.self) ?? .all
    modelPaths = arguments.strings("models")
    filter = arguments.string("filter")
    threads = try Self.threads(arguments.string("threads") ?? Self.usualThreads(suite))
    if suite == .mixedSoak, threads.count > 1 {
      throw UsageError("--threads takes one count for mixed-soak, got \(threads.count)")
    }
    seconds = Double(arguments.float("seconds") ?? 3)
    sequencePaths = arguments.strings("sequences")
    tracksFile = arguments.string("tracks")
    outputFolder = arguments.string("output")
    count = arguments.int("count") ?? 200
    seed = arguments.int("seed") ?? 1
    frames = arguments.int("frames") ?? 10_000
    minutes = Double(arguments.float("minutes") ?? 30)
    python = arguments.string("peers")
    engines = try arguments.string("engines").map { names throws(UsageError) in try Self.engines(names) }
    numerics = arguments.choice("numerics", as: Numerics.self) ?? .fast
    precision = arguments.choice("precision", as: Precision.self) ?? .full
    jsonFile = arguments.string("json")
    chartFile = arguments.string("chart")
    if let isa = arguments.string("isa") {
      guard KernelTable.named(isa) != nil else {
        throw UsageError(
          "--isa takes one of \(KernelTable.available.map(\.name).joined(separator: ", ")) on this processor, got '\(isa)'"
        )
      }
      // The variable is read when the kernel table is first used, here and in child processes.
      setenv("SWIFTLET_ISA", isa, 1)
    }
    if let python, !FileManager.default.isExecutableFile(atPath: python) {
      throw UsageError("--peers takes the path of a Python, '\(python)' is not a program")
    }
    if engines != nil, python == nil { throw UsageError("--engines requires --peers") }
    for path in modelPaths where !FileManager.default.fileExists(atPath: path) {
      throw UsageError("--models: there is no '\(path)'")
    }
    for path in sequencePaths where !FileManager.default.fileExists(atPath: path) {
      throw UsageError("--sequences: there is no '\(path)'")
    }
    if tracksFile != nil, sequencePaths.isEmpty {
      throw UsageError("--tracks names a file of the folders given with --sequences; there are none")
    }
  }

  private static func usualThreads(_ suite: Suite) -> String {
    switch suite {
    case .shapes: "1"
    case .scaling: "2,4,8,16"
    case .mixedSoak: "64"
    default: "1,2"
    }
  }

  private static func threads(_ text: String) throws(UsageError) -> [Int] {
    var counts: [Int] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let count = Int(word), (1...1024).contains(count) else {
        throw UsageError("--threads takes whole numbers from 1 to 1024, such as 1,2, got '\(text)'")
      }
      counts.append(count)
    }
    return counts
  }

  private static func engines(_ text: String) throws(UsageError) -> [PeerProcess.Engine] {
    let names = PeerProcess.Engine.ofModels.map(\.rawValue)
    var engines: [PeerProcess.Engine] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let engine = PeerProcess.Engine.ofModels.first(where: { $0.rawValue == word }) else {
        throw UsageError("--engines takes some of \(names.joined(separator: ", ")), got '\(text)'")
      }
      if !engines.contains(engine) { engines.append(engine) }
    }
    return engines
  }

  func runtime(threads: Int) -> RuntimeOptions {
    RuntimeOptions(threads: threads, numerics: numerics, precision: precision)
  }

  /// Returns whether a suite runs. `all` excludes the suites that take many minutes and compare nothing.
  func includes(_ suite: Suite) -> Bool {
    self.suite == suite || self.suite == .all && ![.shapes, .scaling, .soak, .mixedSoak].contains(suite)
  }

  /// Returns whether an item with the given name is measured.
  func includes(_ name: String) -> Bool { filter.map(name.contains) ?? true }

  struct ModelFile {
    /// The name in the output.
    var name: String
    var path: String
  }

  /// Returns the models to measure, in a stable order.
  func models() -> [ModelFile] {
    if modelPaths.isEmpty {
      return TestData.models.filter(includes).map { ModelFile(name: $0, path: TestData.path("models/" + $0)) }
    }
    return modelPaths.flatMap { path in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        return [ModelFile(name: String(path.split(separator: "/").last ?? ""), path: path)]
      }
      let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      return files.filter { $0.hasSuffix(".tflite") }.sorted().map { ModelFile(name: $0, path: path + "/" + $0) }
    }.filter { includes($0.name) }
  }
}
