import Foundation
import SwiftletImage
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletTestSupport
import Testing

@testable import SwiftletLocalServer
@testable import SwiftletTool

/// The responses to the requests of the studio's page.
@Suite("Requests of the studio")
struct StudioServiceTests {
  private static let service = Result {
    StudioService(models: try StudioModels(folder: nil), samples: try StudioSamples(folder: nil))
  }

  private func respond(
    _ line: String, _ body: [UInt8] = [], type: String = "application/octet-stream"
  ) throws -> HTTPResponse {
    let head = "\(line) HTTP/1.1\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)"
    var request = try HTTPRequest(head: Array(head.utf8))
    request.body = body
    return try Self.service.get().response(to: request, token: "t")
  }

  /// Returns the JSON line of a response and the bytes after it.
  private func answer(_ response: HTTPResponse) throws -> (json: [String: Any], masks: [UInt8]) {
    let end = response.body.firstIndex(of: 10) ?? response.body.count
    let json = try JSONSerialization.jsonObject(with: Data(response.body[..<end])) as? [String: Any] ?? [:]
    return (json, Array(response.body[min(end + 1, response.body.count)...]))
  }

  /// A PNG with some structure.
  private static let image: [UInt8] = (try? ImageEncoder.encodePNG(pixels(64, 48))) ?? []

  private static func pixels(_ width: Int, _ height: Int) throws -> ImageBuffer {
    let bytes = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  @Test("the page contains the tasks, the samples, and the token")
  func page() throws {
    let response = try respond("GET /")
    #expect(response.status == 200)
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("connect-src 'self'") && text.contains("detect-faces") && text.contains("\"token\":\"t\""))
    #expect(!text.contains("http://") || !text.contains("src=\"http"))
  }

  @Test(
    "every task with a bundled model runs on its samples",
    arguments: StudioTask.all.filter { $0.bundled != nil }.map(\.id))
  func samples(_ id: String) throws {
    let task = try #require(StudioTask.named(id))
    let body: [UInt8]
    var query = "task=\(id)"
    switch task.input {
    case .image, .imagePoint: body = Self.image
    case .imagePair:
      body = Self.image + Self.image
      query += "&first=\(Self.image.count)"
    case .sound:
      body = []
      let number = try #require(sampleNumbers("sound").first)
      query += "&sample=\(number)"
    case .text: body = Array("It will rain tomorrow.".utf8)
    case .textPair: body = Array("one\0two".utf8)
    }
    let response = try respond("POST /api/run?\(query)", body)
    #expect(response.status == 200, "\(String(decoding: response.body.prefix(500), as: UTF8.self))")
    let (json, masks) = try answer(response)
    let expected = ["result", "masks", "times", "lines", "code", "command"]
    #expect(expected.allSatisfy { json[$0] != nil })
    let lengths = (json["masks"] as? [[String: Any]] ?? []).compactMap { $0["length"] as? Int }
    #expect(lengths.reduce(0, +) == masks.count)
    #expect((id == "segment") == !lengths.isEmpty)
    let times = try #require(json["times"] as? [String: Double])
    #expect(times["infer"] ?? -1 > 0 && (times.values.min() ?? -1) >= 0)
  }

  @Test(
    "landmark tasks run on images and on frames", arguments: ["landmark-hands", "landmark-faces", "landmark-poses"])
  func landmarks(_ id: String) throws {
    let bundles = [
      "landmark-hands": SyntheticBundles.hands, "landmark-faces": SyntheticBundles.faces,
      "landmark-poses": SyntheticBundles.poses,
    ]
    let folder = try TemporaryFolder()
    _ = try folder.write(try #require(bundles[id]), to: "a.task")
    let service = StudioService(
      models: try StudioModels(folder: folder.url("").path), samples: try StudioSamples(folder: nil))
    let frame = [UInt8](repeating: 90, count: 40 * 30 * 4)
    for (query, body) in [("masks=true", Self.image), ("width=40&height=30&session=a&at=1&masks=true", frame)] {
      var request = try HTTPRequest(
        head: Array(
          "POST /api/run?task=\(id)&\(query) HTTP/1.1\r\nContent-Length: 1\r\nContent-Type: application/octet-stream"
            .utf8))
      request.body = body
      let (json, masks) = try answer(service.response(to: request, token: "t"))
      let result = try #require(json["result"] as? [String: Any])
      let found = try #require(result.values.compactMap { $0 as? [[String: Any]] }.first)
      #expect(found.count == 1 && (found[0]["landmarks"] as? [Any])?.isEmpty == false)
      #expect(masks.isEmpty == (id != "landmark-poses"))
    }
  }

  private func sampleNumbers(_ kind: String) throws -> [Int] {
    let text = try StudioSamples(folder: nil).json.text
    let entries = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    return entries.filter { $0["kind"] as? String == kind }.compactMap { $0["id"] as? Int }
  }

  @Test("samples are images, sounds, and texts of the right type")
  func sampleFiles() throws {
    for (kind, type) in [("image", "image/png"), ("sound", "audio/wav"), ("text", "text/plain; charset=utf-8")] {
      let number = try #require(sampleNumbers(kind).first)
      let response = try respond("GET /api/sample?id=\(number)")
      #expect(response.status == 200 && response.contentType == type && !response.body.isEmpty)
    }
    for id in ["", "-1", "100000", "x", "../a"] { #expect(try respond("GET /api/sample?id=\(id)").status == 422) }
  }

  @Test("frames of a session are tracked, in any order of times")
  func frames() throws {
    let frame = [UInt8](repeating: 90, count: 40 * 30 * 4)
    for time in ["0", "33", "20", "-5", "99999999999999999999", "x"] {
      let response = try respond(
        "POST /api/run?task=track&width=40&height=30&session=abc&at=\(time)", frame)
      #expect(response.status == 200)
      #expect(try answer(response).json["code"] == nil)
    }
  }

  @Test(
    "bad frames are errors",
    arguments: [
      "width=40&height=30", "width=0&height=10", "width=-1&height=-1", "width=4097&height=1", "width=40",
      "width=9223372036854775807&height=2", "width=a&height=b",
    ])
  func badFrames(_ size: String) throws {
    #expect(try respond("POST /api/run?task=detect-faces&\(size)", [1, 2, 3, 4]).status == 422)
  }

  @Test("errors name the cause")
  func errors() throws {
    func error(_ line: String, _ body: [UInt8] = []) throws -> (Int, String) {
      let response = try respond(line, body)
      return (response.status, String(decoding: response.body, as: UTF8.self))
    }
    let cases: [(String, [UInt8], Int, String)] = [
      ("GET /nothing", [], 404, "no such page"), ("PUT /api/run", [], 405, "method"),
      ("POST /api/run", [], 404, "no such task"), ("POST /api/run?task=zzz", [], 404, "no such task"),
      ("POST /api/run?task=detect-faces&model=zzz", [], 422, "zzz"),
      ("POST /api/run?task=detect-faces&min-confidence=2", [], 422, "min-confidence"),
      ("POST /api/run?task=detect-faces", [], 422, "image"),
      ("POST /api/run?task=detect-faces", [1, 2, 3], 422, "image"),
      ("POST /api/run?task=detect-faces&sample=900", [], 422, "900"),
      ("POST /api/run?task=embed", Self.image, 422, "first"),
      ("POST /api/run?task=embed&first=99999", Self.image, 422, "first"),
      ("POST /api/run?task=classify-audio", Self.image, 422, "WAV"),
      ("POST /api/run?task=landmark-hands", Self.image, 422, "model"),
      ("POST /api/inspect?name=a", [1, 2, 3], 422, "bytes"), ("POST /api/bench?name=a", [1, 2, 3], 422, "bytes"),
      ("POST /api/inspect?name=a&first=9", [1, 2, 3], 422, "first"),
      ("POST /api/inspect?task=landmark-hands", [], 422, "model"),
    ]
    for (line, body, status, text) in cases {
      let (given, reason) = try error(line, body)
      #expect(given == status && reason.contains(text) && reason.contains("\"error\""), "\(line): \(given) \(reason)")
    }
  }

  @Test("reports describe the task's model, and compare two files")
  func reports() throws {
    #expect(try respond("POST /api/inspect?task=detect-faces&model=bundled").contentType.hasPrefix("text/html"))
    #expect(try respond("POST /api/bench?task=classify-text&model=bundled").status == 200)
    let model = try [UInt8](
      Data(contentsOf: URL(fileURLWithPath: TestData.packagePath + "/Models/text_classifier_int8.tflite")))
    let page = try respond("POST /api/inspect?first=\(model.count)&name=%3Cb%3E&second=%3Ci%3E", model + model)
    #expect(page.status == 200)
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(!text.contains("<b>") && !text.contains("<i>"))
  }

  /// Mutated images, sounds, texts, models, and parameters: each gets a result or an error.
  @Test("hostile bodies and parameters end in a response")
  func hostile() throws {
    var generator = SplitMix64(state: 11)
    let tasks = StudioTask.all.filter { $0.bundled != nil }.map(\.id)
    let values = [
      "", "0", "-1", "1e999", "nan", "%00", "..%2F..%2Fetc%2Fpasswd", "99999999999999999999", "%F0%9F%98%80",
    ]
    let names = [
      "model", "sample", "first", "width", "height", "session", "at", "point", "min-confidence", "allow", "threads",
    ]
    func any<Element>(_ list: [Element]) -> Element { list[Int.random(in: list.indices, using: &generator)] }
    var statuses: [Int: Int] = [:]
    for _ in 0..<400 {
      var body = any([Self.image, Self.image + Self.image, Array("text\0text".utf8), []])
      for _ in 0..<Int.random(in: 0..<4, using: &generator) where !body.isEmpty {
        body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        body = Array(body.prefix(Int.random(in: 0...max(1, body.count), using: &generator)))
      }
      var query = ["task=\(any(tasks))"]
      for name in Set((0..<Int.random(in: 0..<3, using: &generator)).map { _ in any(names) }) {
        query.append("\(name)=\(any(values))")
      }
      let path = any(["/api/run", "/api/run", "/api/run", "/api/code", "/api/inspect", "/api/sample"])
      let method = path == "/api/sample" ? "GET" : "POST"
      let response = try respond("\(method) \(path)?\(query.joined(separator: "&"))", body)
      statuses[response.status, default: 0] += 1
      #expect([200, 404, 405, 413, 422, 504].contains(response.status))
    }
    #expect(statuses[200, default: 0] > 20 && statuses[422, default: 0] > 100, "\(statuses)")
  }
}

/// The models that the studio finds in a directory.
@Suite("Models of the studio")
struct StudioModelTests {
  @Test("a directory's models come before the bundled ones, and others are left out with a reason")
  func folder() throws {
    let folder = try TemporaryFolder()
    for name in ["face_detector", "image_classifier", "text_classifier", "audio_classifier"] {
      let file = TestData.packagePath + "/Models/\(name)_int8.tflite"
      try FileManager.default.copyItem(atPath: file, toPath: folder.url(name + ".tflite").path)
    }
    _ = try folder.write([1, 2, 3], to: "broken.tflite")
    _ = try folder.write(Array("text".utf8), to: "readme.txt")
    let models = try StudioModels(folder: folder.url("").path)
    #expect(models.left.count == 1 && models.left.first?.file.hasSuffix("broken.tflite") == true)
    for (id, name) in [
      ("detect-faces", "face_detector"), ("classify", "image_classifier"), ("classify-text", "text_classifier"),
      ("classify-audio", "audio_classifier"),
    ] {
      let task = try #require(StudioTask.named(id))
      #expect(models[task].first?.name == name + ".tflite" && models[task].last?.id == "bundled", "\(id)")
    }
    let embed = try #require(StudioTask.named("detect-language"))
    #expect(models[embed].isEmpty)
  }

  @Test("a directory that doesn't exist is an error")
  func missingFolder() { #expect(throws: ToolError.self) { try StudioModels(folder: "/nowhere/at/all") } }
}
