import Foundation
import SwiftletMeasurement
import SwiftletTestSupport

/// The reason why a peer could not complete a request.
struct PeerFailure: Error, CustomStringConvertible {
  var engine: PeerProcess.Engine
  var description: String
}

/// The Python process of a peer. It handles one request at a time and sleeps in between.
final class PeerProcess: Contender {
  enum Engine: String {
    case liteRT = "litert"
    case openVINO = "openvino"
    case mnn
    case mediaPipe = "mediapipe"

    /// The engines that run model files.
    static let ofModels: [Engine] = [.liteRT, .openVINO, .mnn]

    var name: String {
      switch self {
      case .liteRT: "LiteRT"
      case .openVINO: "OpenVINO"
      case .mnn: "MNN"
      case .mediaPipe: "MediaPipe"
      }
    }
  }

  /// An input of a model, or an expected output, in a file of raw elements.
  struct Tensor: Encodable {
    /// The name in the model, by which engines find tensors whose order differs.
    var name: String
    var file: String
    var shape: [Int]
    /// The type of the elements, as NumPy calls it.
    var type: String
    /// The quantization of an output; `nil` if it has none or several scales.
    var scale: Float?
    var zeroPoint: Int32?
  }

  private struct Request: Encodable {
    var `do`: String
    var model: String?
    var threads: Int?
    var inputs: [Tensor]?
    var outputs: [Tensor]?
    var task: String?
    var picture: String?
    var scoreThreshold: Float?
    var maxResults: Int?
    var warmup: Int?
    var count: Int?
  }

  private struct Answer: Decodable {
    var error: String?
    var version: String?
    var loadMs: Double?
    var firstMs: Double?
    var memoryBytes: Int?
    var difference: Double?
    var timesMs: [Double]?
  }

  let engine: Engine
  /// The peer's name and version: `ai-edge-litert 2.3.0`.
  private(set) var version = ""
  /// The largest difference of the loaded model's results from the expected ones, relative to the largest expected
  /// value of the same output.
  private(set) var difference: Double?
  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var unread: [UInt8] = []

  /// Starts the process and waits until it is ready.
  ///
  /// - Throws: `PeerFailure` if this Python environment lacks a required package.
  init(_ engine: Engine, python: String) throws {
    self.engine = engine
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [TestData.packagePath + "/Tools/peers/worker.py", engine.rawValue]
    process.standardInput = requests
    process.standardOutput = answers
    // A crashed peer is detected by its missing response.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    version = try answer().version ?? ""
  }

  deinit {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Loads a model and runs it once.
  ///
  /// - Parameter outputs: The results to compare with; `difference` is the result.
  func load(_ model: String, threads: Int, inputs: [Tensor], outputs: [Tensor]? = nil) throws -> FreshStart {
    try start(Request(do: "load", model: model, threads: threads, inputs: inputs, outputs: outputs))
  }

  /// Loads a task and runs it once on an image.
  func load(task: String, model: String, picture: String, scoreThreshold: Float, maxResults: Int) throws -> FreshStart {
    try start(
      Request(
        do: "load", model: model, task: task, picture: picture, scoreThreshold: scoreThreshold, maxResults: maxResults))
  }

  private func start(_ request: Request) throws -> FreshStart {
    let answer = try ask(request)
    difference = answer.difference
    return FreshStart(
      loadMilliseconds: answer.loadMs ?? 0, firstMilliseconds: answer.firstMs ?? 0, memoryBytes: answer.memoryBytes ?? 0
    )
  }

  func run(warmup: Int, count: Int) throws -> [Double] {
    try ask(Request(do: "run", warmup: warmup, count: count)).timesMs ?? []
  }

  // MARK: Protocol

  private func ask(_ request: Request) throws -> Answer {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do {
      try requests.fileHandleForWriting.write(contentsOf: try encoder.encode(request) + [UInt8(ascii: "\n")])
    } catch {
      throw gone()
    }
    return try answer()
  }

  private func answer() throws -> Answer {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(unread[..<end])
        unread.removeSubrange(...end)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = try decoder.decode(Answer.self, from: line)
        if let error = answer.error { throw PeerFailure(engine: engine, description: error) }
        return answer
      }
      let data = answers.fileHandleForReading.availableData
      guard !data.isEmpty else { throw gone() }
      unread += data
    }
  }

  private func gone() -> PeerFailure {
    process.waitUntilExit()
    let cause = process.terminationReason == .exit ? "with status" : "by signal"
    return PeerFailure(
      engine: engine, description: "the peer's process ended \(cause) \(process.terminationStatus)")
  }
}
