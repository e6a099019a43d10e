import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

/// The network system calls of a program, as `strace` reports them.
private struct NetworkCalls {
  static let tracer = ["/usr/bin/strace", "/bin/strace"].first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Why calls can't be traced, or nil. A container can forbid it.
  static let obstacle: Comment? = {
    guard let tracer else { return "strace is not installed" }
    let probe = try? OtherProgram.run(tracer, ["-f", "-o", "/dev/null", "/bin/true"])
    return probe?.status == 0 ? nil : "this process may not trace another"
  }()

  /// The calls that name an address family other than that of sockets within the machine.
  let lines: [String]

  init(trace: String) {
    lines = trace.split(separator: "\n").map(String.init).filter {
      $0.contains("AF_") && !$0.contains("AF_UNIX")
    }
  }

  /// The calls that contact or wait at other addresses than the loopback addresses.
  ///
  /// A call that only creates a socket has no address.
  var beyondLoopback: [String] {
    lines.filter { line in
      let isCreation = line.contains("socket(AF_INET, ") || line.contains("socket(AF_INET6, ")
      return !isCreation && !line.contains("inet_addr(\"127.") && !line.contains("inet_pton(AF_INET6, \"::1\"")
    }
  }

  /// The words that trace the program with these arguments.
  static func words(_ arguments: [String], trace: String) -> [String] {
    ["-f", "-qq", "-e", "trace=network", "-o", trace, Tool.path(of: "swiftlet")] + arguments
  }

  /// Runs the program, and returns its result and its calls.
  static func of(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws -> (result: Tool.Result, calls: NetworkCalls) {
    let trace = folder.path("trace-\(UUID().uuidString)")
    let result = try Tool.run(
      words(arguments, trace: trace), program: try #require(tracer),
      environment: environment.merging(["SWIFTLET_MODELS": folder.path("store")]) { first, _ in first })
    return (result, NetworkCalls(trace: try String(contentsOfFile: trace, encoding: .utf8)))
  }
}

/// That there is no telemetry: no command uses the network, unless it is asked to.
@Suite("Network", .enabled(if: NetworkCalls.obstacle == nil, NetworkCalls.obstacle ?? ""))
struct NetworkTests {
  /// Models and inputs for all commands.
  private struct Inputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func image() throws -> String { try GrayImage.write(to: folder, width: 64, height: 64) }

    /// A manifest with one case, whose result is correct.
    func manifest() throws -> String {
      _ = try folder.write(SmallModels.sum, to: "sum.tflite")
      _ = try folder.write([Float(1), 2, 10, 20, 11, 22].withUnsafeBytes { [UInt8]($0) }, to: "tensors.bin")
      let tensors = (0..<3).map {
        #"{"index":\#($0),"name":"n\#($0)","dtype":"float32","shape":[2],"offset":\#(8 * $0),"bytes":8}"#
      }
      let text =
        #"{"format":1,"models":[{"model":"sum.tflite","cases":[{"name":"a","inputs":[\#(tensors[0]),\#(tensors[1])],"#
        + #""outputs":[\#(tensors[2])]}]}]}"#
      return try folder.write(Array(text.utf8), to: "manifest.json")
    }

    /// The values of an image, as a tensor.
    func tensor() throws -> String { try folder.write(FlagImage.pixels.flatMap(\.self), to: "pixels.bin") }

    func words() throws -> String {
      let model = WordModel(
        .pattern("[^a-z]+"), length: 3, vocabulary: "<UNKNOWN> 2\na 5\nb 7\n", labels: ["c", "d", "e"])
      return try folder.write(model.bytes, to: "words.tflite")
    }

    func model() throws -> String { try TinyTask.classify.write(to: folder) }

    func sound() throws -> String {
      let header: [UInt8] = [0x52, 0x49, 0x46, 0x46, 0x64, 0x7D, 0, 0] + Array("WAVEfmt ".utf8)
      let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]
      let samples = [UInt8](repeating: 0, count: 32_000)
      return try folder.write(
        header + format + Array("data".utf8) + [0, 0x7D, 0, 0] + samples, to: "sound.wav")
    }

    func frames() throws -> String {
      let path = folder.path("frames")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for name in ["1.png", "2.png"] {
        _ = try GrayImage.write(to: folder, as: "frames/" + name, width: 64, height: 64)
      }
      return path
    }

    func bundle(_ bytes: [UInt8]) throws -> String { try folder.write(bytes, to: UUID().uuidString + ".task") }
  }

  /// The arguments of each command. A command whose model is missing must not fetch it.
  private static let cases: [String: @Sendable (Inputs) throws -> [String]] = [
    "inspect": { [try $0.model()] },
    "run": { [try $0.model(), try $0.tensor(), "--output-dir", $0.folder.path("out")] },
    "verify": { [try $0.manifest(), "--models", $0.folder.path("")] },
    "bench": { [try $0.model(), "--runs", "2", "--warmup", "0"] },
    "doctor": { [try $0.model()] },
    "detect-objects": { [try $0.image()] },
    "detect-faces": { [try $0.image()] },
    "segment": { [try $0.image()] },
    "embed": { [try $0.image()] },
    "classify": { [try $0.image()] },
    "landmark-hands": { [try $0.image(), "--model", try $0.bundle(SyntheticBundles.hands)] },
    "recognize-gestures": { [try $0.image(), "--model", $0.folder.path("missing.task")] },
    "landmark-faces": { [try $0.image(), "--model", try $0.bundle(SyntheticBundles.faces)] },
    "landmark-poses": { [try $0.image(), "--model", try $0.bundle(SyntheticBundles.poses)] },
    "landmark-holistic": { [try $0.image(), "--model", $0.folder.path("missing.task")] },
    "classify-audio": { [try $0.sound()] },
    "classify-text": { ["--model", try $0.words(), "a b"] },
    "embed-text": { ["--model", try $0.words(), "a b"] },
    "detect-language": { ["--model", $0.folder.path("missing.tflite"), "a b"] },
    "track": { [try $0.frames()] },
    "models": { _ in ["list"] },
    "demo": { ["--output-dir", $0.folder.path("demo"), "--size", "96", "--frames", "2"] },
    "completions": { _ in ["bash"] },
    "help": { _ in ["studio"] },
  ]

  /// The commands that wait for requests.
  private static let servers = ["studio"]

  @Test("all commands are traced")
  func allCommands() {
    #expect(Set(Self.cases.keys).union(Self.servers) == Set(Program.commands.map { $0.declaration.name }))
  }

  @Test("no command uses the network", arguments: cases.keys.sorted())
  func commands(_ name: String) throws {
    let inputs = try Inputs()
    let words = try #require(Self.cases[name])
    let arguments = try words(inputs)
    let (result, calls) = try NetworkCalls.of([name] + arguments, in: inputs.folder)
    let isMissing = arguments.contains { $0.contains("missing.t") }
    #expect(result.status == (isMissing ? 1 : 0), "\(result.error)")
    #expect(calls.lines.isEmpty)
  }

  @Test(
    "no command uses the network with published models",
    .enabled(if: TestData.has("tasks/models", "images"), "\(TestData.skipReason)"),
    arguments: [
      ["landmark-hands", "hand_thumb_up.jpg", "hand_landmarker.task"],
      ["landmark-faces", "face.jpg", "face_landmarker.task"],
      ["landmark-poses", "mp_pose.jpg", "pose_landmarker.task"],
      ["segment", "face.jpg", "interactive_4channel.tflite"],
    ])
  func publishedModels(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    let arguments = [
      words[0], TestData.path("images/" + words[1]), "--model", TestData.path("tasks/models/" + words[2]),
    ]
    let point = words[0] == "segment" ? ["--point", "0.5,0.5"] : []
    let (result, calls) = try NetworkCalls.of(arguments + point, in: folder)
    #expect(result.status == 0, "\(result.error)")
    #expect(calls.lines.isEmpty)
  }

  @Test("models fetch contacts only the address that it is given")
  func fetch() throws {
    let folder = try TemporaryFolder()
    let server = try LoopbackServer { _ in LoopbackResponse(status: 404) }
    let arguments = ["models", "fetch", "efficientnet-lite0", "--from", server.url("").absoluteString]
    // A proxy of the environment would be another address.
    let direct = ["http_proxy": "", "https_proxy": "", "all_proxy": ""]
    let (result, calls) = try NetworkCalls.of(arguments, in: folder, environment: direct)
    #expect(result.status == 1 && result.error.contains("404"), "\(result.error)")
    let port = "htons(\(try #require(server.url("").port)))"
    let connections = calls.lines.filter { $0.contains("connect(") }
    #expect(connections.contains { $0.contains(port) })
    #expect(connections.allSatisfy { $0.contains(port) && $0.contains("127.0.0.1") })
    #expect(calls.beyondLoopback.isEmpty)
  }

  @Test("the studio waits at loopback addresses and contacts none")
  func studio() async throws {
    let folder = try TemporaryFolder()
    let trace = folder.path("trace"), output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(NetworkCalls.tracer))
    process.arguments = NetworkCalls.words(["studio", "--port", "0"], trace: trace)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    let address = try #require(String(data: output.fileHandleForReading.availableData, encoding: .utf8))
    let url = try #require(URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines)))
    let page = try OtherProgram.run(
      "/usr/bin/env", ["curl", "-s", "--noproxy", "*", "--max-time", "20", url.absoluteString])
    let isWithoutCurl = page.status == 127
    #expect(isWithoutCurl || page.output.contains("<html"))
    // The tracer ends with the program that it traces. The process can inherit a mask that blocks other signals.
    let tracer = process.processIdentifier
    let traced = try String(contentsOfFile: "/proc/\(tracer)/task/\(tracer)/children", encoding: .utf8)
    for child in traced.split(separator: " ").compactMap({ Int32($0) }) { kill(child, SIGKILL) }
    process.waitUntilExit()
    let calls = NetworkCalls(trace: try String(contentsOfFile: trace, encoding: .utf8))
    #expect(calls.lines.contains { $0.contains("bind(") && $0.contains("127.0.0.1") })
    #expect(calls.beyondLoopback.isEmpty)
    #expect(calls.lines.allSatisfy { !$0.contains("connect(") })
  }

  @Test("calls to other addresses are found")
  func otherAddresses() {
    let trace = """
      12 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, 0) = 3
      12 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file or directory)
      12 socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, IPPROTO_IP) = 3
      12 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 0
      13 connect(4, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0
      13 sendto(5, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("198.51.100.7")}, 16) = 1
      13 bind(6, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0
      13 bind(6, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
      13 socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_ROUTE) = 3
      13 +++ exited with 0 +++
      """
    let calls = NetworkCalls(trace: trace)
    #expect(calls.lines.count == 7)
    #expect(calls.beyondLoopback.count == 5)
  }
}
