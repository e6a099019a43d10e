import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@_spi(Facades) @testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Checks the handling of server responses without servers.
@Suite("File responses")
struct FileReceiverTests {
  private final class Told: Sendable {
    let progress = Mutex<[String]>([])
    let noted = Mutex(0)
  }

  /// The receiver of a file, of which a part can already exist.
  private struct Setup {
    let root: TestFolder
    let folder: ModelFolder
    let partial: PartialFile
    let receiver: FileReceiver
    let told = Told()

    init(
      size: Int64? = nil, sha256: String? = nil, start: PartialFile.Start = .init(), limit: Int64 = 1000,
      free: Int64? = nil
    ) throws {
      root = try TestFolder()
      folder = root.model()
      try folder.make()
      partial = PartialFile(folder: folder)
      var client = HTTPClient()
      client.options.modelByteLimit = limit
      client.environment.freeByteCount = { _ in free }
      client.environment.reached = { [told] step, _ in if step == .noted { told.noted.withLock { $0 += 1 } } }
      let file = RemoteModelFile(
        url: try #require(URL(string: "https://example.com/m?key=secret")), size: size, version: "v", sha256: sha256)
      if start.offset > 0 {
        try partial.begin(file, size: start.size).write(contentsOf: Data(count: Int(start.offset)))
      }
      receiver = FileReceiver(file, from: start, into: partial, client: client) { [told] count, size in
        told.progress.withLock { $0.append("\(count) of \(size.map(String.init) ?? "?")") }
      }
    }

    func begin(_ status: Int, _ headers: [String: String]) throws -> ExpectedBody {
      let url = try #require(URL(string: "https://example.com/m"))
      return try receiver.begin(
        try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)))
    }

    var content: Data? { FileManager.default.contents(atPath: folder.partialDataPath) }
    var progress: [String] { told.progress.withLock { $0 } }
  }

  private static func error(_ body: () throws -> Void) -> ModelStoreError? {
    let error: ModelStoreError? = thrownError(body)
    return error
  }

  private static func name(_ result: FileReceiver.Result) -> String {
    switch result {
    case .nothing: "nothing"
    case .notModified: "not modified"
    case .rangeRefused: "range refused"
    case .refused(let response, let body): "refused \(response.statusCode) \(body.count)"
    case .body(let body):
      "\(body.received) of \(body.size.map(String.init) ?? "?") to \(body.end.map(String.init) ?? "?") \(body.etag ?? "-")\(body.mayEndEarly ? " early" : "")"
    }
  }

  // MARK: Status

  @Test(
    "are files for 2xx statuses, except for special ones",
    arguments: [
      (199, 0, "refused 199 0"), (200, 0, "0 of 5 to ? e"), (201, 0, "0 of 5 to ? e"), (299, 0, "0 of 5 to ? e"),
      (300, 0, "refused 300 0"), (304, 0, "not modified"), (404, 0, "refused 404 0"), (416, 0, "refused 416 0"),
      (416, 1, "range refused"), (417, 1, "refused 417 0"), (304, 1, "not modified"),
    ] as [(Int, Int64, String)])
  func status(status: Int, offset: Int64, expected: String) throws {
    let setup = try Setup(start: .init(offset: offset))
    let body = try setup.begin(status, ["Content-Length": "5", "ETag": "e"])
    #expect(
      body
        == (["not modified", "range refused"].contains(expected)
          ? .none : expected.hasPrefix("refused") ? .explanation : .content))
    #expect(Self.name(setup.receiver.close()) == expected)
    #expect(setup.progress == (expected.hasPrefix("0 of") ? ["0 of 5"] : []))
    #expect(setup.told.noted.withLock { $0 } == (expected.hasPrefix("0 of") ? 1 : 0))
    #expect(Self.name(setup.receiver.close()) == "nothing")
  }

  // MARK: Length

  struct Length: Sendable, CustomTestStringConvertible {
    var headers: [String: String]
    var size: Int64?
    var sha256: String?
    /// The result, or `nil` for a rejection.
    var result: String?
    var code = ModelStoreError.Code.internalError
    var words = ""
    var testDescription: String {
      "\(headers.sorted { $0.key < $1.key }) \(size.map(String.init) ?? "") \(sha256 ?? "")"
    }
  }

  private static let noLength =
    "https://example.com/m does not state the file size; to download the file anyway, specify the model's SHA-256"

  static let lengths: [Length] = [
    .init(headers: [:], words: noLength),
    .init(headers: ["Transfer-Encoding": "gzip"], words: noLength),
    .init(headers: ["Transfer-Encoding": "Chunked"], result: "0 of ? to ? -"),
    .init(headers: ["Transfer-Encoding": "gzip, chunked"], result: "0 of ? to ? -"),
    .init(headers: [:], size: 9, result: "0 of 9 to ? - early"),
    .init(headers: [:], sha256: "a", result: "0 of ? to ? - early"),
    .init(headers: ["Content-Length": "0"], result: "0 of 0 to ? -"),
    .init(headers: ["Content-Length": "9"], size: 9, result: "0 of 9 to ? -"),
    .init(
      headers: ["Content-Length": "8"], size: 9, code: .sizeMismatch,
      words: "https://example.com/m has 8 bytes, but the model has 9"),
    .init(headers: ["Content-Length": "1000"], result: "0 of 1000 to ? -"),
    .init(
      headers: ["Content-Length": "1001"], code: .tooLarge,
      words: "https://example.com/m has 1001 bytes; the store accepts models of up to 1000"),
    .init(
      headers: [:], size: 1001, code: .tooLarge,
      words: "https://example.com/m has 1001 bytes; the store accepts models of up to 1000"),
    .init(headers: ["Content-Length": "-1"], words: "the server states an invalid length: '-1'"),
    .init(headers: ["Content-Length": "x"], words: "the server states an invalid length: 'x'"),
    .init(headers: ["Content-Length": "5", "Content-Encoding": "identity"], result: "0 of 5 to ? -"),
    .init(headers: ["Content-Length": "5", "Content-Encoding": "Identity"], result: "0 of 5 to ? -"),
    .init(
      headers: ["Content-Length": "5", "Content-Encoding": "br"],
      words: "the server sends the file compressed (br), which was not requested"),
  ]

  @Test("contain the file size, or are rejected", arguments: lengths)
  func length(_ length: Length) throws {
    let setup = try Setup(size: length.size, sha256: length.sha256)
    if let result = length.result {
      #expect(try setup.begin(200, length.headers) == .content)
      #expect(setup.content == Data())
      #expect(Self.name(setup.receiver.close()) == result)
    } else {
      let error = Self.error { _ = try setup.begin(200, length.headers) }
      #expect(error == ModelStoreError(length.code, length.words))
      #expect(setup.root.files.isEmpty && setup.progress.isEmpty)
    }
  }

  @Test(
    "are rejected without disk space for the rest",
    arguments: [(nil, 0, true), (90, 10, true), (89, 10, false), (100, 0, true), (99, 0, false)]
      as [(Int64?, Int64, Bool)])
  func room(free: Int64?, start: Int64, isEnough: Bool) throws {
    let root = try TestFolder()
    var client = HTTPClient()
    client.environment.freeByteCount = { _ in free }
    let folder = root.model()
    let error = Self.error {
      try FileReceiver.checkLimits(100, file: "f", folder: folder, start: start, client: client)
    }
    #expect(
      error
        == (isEnough
          ? nil
          : ModelStoreError(
            .notEnoughSpace,
            "f needs \(100 - start) bytes, the disk of \(folder.path) has \(free.map(String.init) ?? "") left")))
  }

  // MARK: Parts

  struct Part: Sendable, CustomTestStringConvertible {
    var range: String?
    var length: String? = nil
    var etag: String? = "\"e\""
    var knownSize: Int64? = 100
    var isPinned = false
    /// The result, or `nil` for a rejection.
    var result: String?
    var code = ModelStoreError.Code.internalError
    var words = "the server sends a part of the file but does not say which"
    var testDescription: String {
      "\(range ?? "-") \(length ?? "") \(etag ?? "-") \(knownSize.map(String.init) ?? "?")"
    }
  }

  static let parts: [Part] = [
    .init(range: "bytes 10-99/100", length: "90", result: "10 of 100 to 100 \"e\" early"),
    .init(range: "bytes 10-99/*", result: "10 of 100 to 100 \"e\" early"),
    .init(range: "bytes 10-49/100", length: "40", result: "10 of 100 to 50 \"e\" early"),
    .init(range: "bytes 10-10/100", result: "10 of 100 to 11 \"e\" early"),
    .init(range: "bytes 10-99/100", knownSize: nil, result: "10 of 100 to 100 \"e\" early"),
    .init(range: "bytes 10-99/*", knownSize: nil, result: "10 of 100 to 100 \"e\" early"),
    .init(range: "bytes 10-99/100", etag: nil, isPinned: true, result: "10 of 100 to 100 \"e\" early"),
    .init(range: "bytes 10-99/100", etag: nil, result: "range refused"),
    .init(range: "bytes 10-99/100", etag: "\"f\"", result: "range refused"),
    .init(range: "bytes 9-99/100", result: "range refused"),
    .init(range: "bytes 11-99/100", result: "range refused"),
    .init(range: "bytes 10-99/101", result: "range refused"),
    .init(range: "bytes 10-98/99", result: "range refused"),
    .init(range: "bytes 10-100/*", result: "range refused"),
    .init(range: "bytes 10-99/100", length: "89", result: "range refused"),
    .init(range: "bytes 10-99/100", length: "91", result: "range refused"),
    .init(range: "bytes 10-99/100", length: "x", words: "the server states an invalid length: 'x'"),
    .init(range: "bytes 10-9/100"), .init(range: "bytes 10-99/99"), .init(range: "bytes 10-99/98"),
    .init(range: nil), .init(range: "bytes 10-99"), .init(range: "bytes */100"), .init(range: "bytes -10-99/100"),
    .init(range: " bytes 10-99/100x"), .init(range: "lines 10-99/100"), .init(range: "bytes 10-99/-1"),
    .init(range: "bytes 10-9223372036854775807/*", knownSize: nil),
    .init(range: "bytes 99999999999999999999-99999999999999999999/*"),
    .init(
      range: "bytes 10-9223372036854775806/*", knownSize: nil, code: .tooLarge,
      words: "https://example.com/m has 9223372036854775807 bytes; the store accepts models of up to 1000"),
    .init(range: "bytes 10-999/1000", knownSize: nil, result: "10 of 1000 to 1000 \"e\" early"),
    .init(
      range: "bytes 10-999/1001", knownSize: nil, code: .tooLarge,
      words: "https://example.com/m has 1001 bytes; the store accepts models of up to 1000"),
  ]

  @Test("with a part continue at the file's end, or are rejected", arguments: parts)
  func part(_ part: Part) throws {
    let setup = try Setup(
      start: .init(
        offset: 10, etag: "\"e\"", size: part.knownSize, validators: .init(etag: "\"e\""), isPinned: part.isPinned))
    var headers: [String: String] = [:]
    headers["Content-Range"] = part.range
    headers["Content-Length"] = part.length
    headers["ETag"] = part.etag
    if let result = part.result {
      #expect(try setup.begin(206, headers) == (result == "range refused" ? .none : .content))
      #expect(Self.name(setup.receiver.close()) == result)
    } else {
      let error = Self.error { _ = try setup.begin(206, headers) }
      #expect(error?.code == part.code && error?.message.hasPrefix(part.words) == true, "\(error?.message ?? "")")
    }
    #expect(setup.content?.count == 10)
  }

  @Test("with an unrequested part are rejected")
  func unwantedPart() throws {
    let setup = try Setup()
    let error = Self.error { _ = try setup.begin(206, ["Content-Range": "bytes 0-9/10"]) }
    #expect(
      error
        == ModelStoreError(
          .internalError, "https://example.com/m sends a part of the file, but the whole file was requested"))
  }

  // MARK: Bytes

  @Test(
    "are appended up to their declared end",
    arguments: [(39, nil), (40, nil), (41, "https://example.com/m sends more than 50 bytes")] as [(Int, String?)])
  func end(count: Int, words: String?) throws {
    let setup = try Setup(start: .init(offset: 10, size: 100))
    #expect(try setup.begin(206, ["Content-Range": "bytes 10-49/100"]) == .content)
    try setup.receiver.receive(Data(repeating: 7, count: 20))
    let error = Self.error { try setup.receiver.receive(Data(repeating: 8, count: count - 20)) }
    #expect(error == words.map { ModelStoreError(.sizeMismatch, $0) })
    if words == nil {
      let all = Data(count: 10) + Data(repeating: 7, count: 20) + Data(repeating: 8, count: count - 20)
      #expect(setup.content == all)
      #expect(setup.progress == ["10 of 100", "30 of 100", "\(count + 10) of 100"])
      #expect(Self.name(setup.receiver.close()) == "\(count + 10) of 100 to 50 - early")
    } else {
      #expect(setup.root.files.isEmpty && setup.progress == ["10 of 100", "30 of 100"])
    }
    _ = setup.receiver.close()
    try setup.receiver.receive(Data([1]))
    #expect(setup.progress.count == (words == nil ? 3 : 2))
  }

  @Test(
    "are written up to the size, and up to the limit if there is none",
    arguments: [
      (nil, 1000, nil), (nil, 1001, ModelStoreError(.tooLarge, "https://example.com/m sends more than 1000 bytes")),
      (20, 20, nil), (20, 21, ModelStoreError(.sizeMismatch, "https://example.com/m sends more than 20 bytes")),
    ] as [(Int64?, Int, ModelStoreError?)])
  func limit(size: Int64?, count: Int, expected: ModelStoreError?) throws {
    let setup = try Setup(size: size)
    #expect(try setup.begin(200, ["Transfer-Encoding": "chunked"]) == .content)
    let error = Self.error { try setup.receiver.receive(Data(count: count)) }
    #expect(error == expected)
    #expect(setup.content?.count == (expected == nil ? count : nil))
  }

  @Test(
    "keep the message of a refusal, up to a limit",
    arguments: [(65_525, 65_535), (65_526, 65_536), (65_527, 65_536)])
  func refusal(first: Int, kept: Int) throws {
    let setup = try Setup()
    #expect(try setup.begin(500, [:]) == .explanation)
    try setup.receiver.receive(Data(count: first))
    try setup.receiver.receive(Data(count: 10))
    #expect(Self.name(setup.receiver.close()) == "refused 500 \(kept)")
    #expect(setup.root.files.isEmpty && setup.progress.isEmpty)
    let other = try Setup()
    #expect(try other.begin(500, [:]) == .explanation)
    try other.receiver.receive(Data(count: 70_000))
    #expect(Self.name(other.receiver.close()) == "refused 500 65536")
  }

  @Test("return their recorded bytes, or none")
  func recorded() throws {
    let root = try TestFolder()
    let request = RecordedResponse.Request(
      url: try #require(URL(string: "https://example.com/m")), directory: root.url, size: 5, sha256: "A",
      version: "v")
    let answer = RecordedResponse(
      status: 200, headers: ["Content-Length": "5"], pieces: [Data([1, 2]), Data([3, 4])])
    #expect(try answer.receive(request) == 4)
    #expect(FileManager.default.contents(atPath: request.partialPaths.data) == Data([1, 2, 3, 4]))
    #expect(FileManager.default.fileExists(atPath: request.partialPaths.note))
    let rest = RecordedResponse(
      status: 206, headers: ["Content-Range": "bytes 4-4/5"], pieces: [Data([5])])
    #expect(try rest.receive(request) == 5)
    for status in [304, 404] { #expect(try RecordedResponse(status: status).receive(request) == nil) }
  }
}
