import Foundation
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("models")
struct ModelsCommandTests {
  /// A model store in a directory of its own.
  private struct Store {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func run(_ arguments: String...) throws -> Tool.Result {
      try Tool.run(arguments, environment: ["SWIFTLET_MODELS": folder.path("store")])
    }

    /// All files of the store.
    var files: [String] {
      let names = FileManager.default.enumerator(atPath: folder.path("store"))?.compactMap { $0 as? String } ?? []
      return names.filter { $0.hasSuffix(".tflite") || $0.hasSuffix(".json") || $0.hasSuffix(".data") }
    }
  }

  /// A model of the catalog without a digest, so that any model can stand in for it.
  private static let open = "efficientnet-lite0"
  private static let openPath =
    "/mediapipe-models/image_classifier/efficientnet_lite0/float32/1/efficientnet_lite0.tflite"
  private static let pinned = "mobilenet-v1-quarter-int8"

  /// Writes a tiny classifier into a directory that acts as a mirror of the published files.
  private func mirror(in store: Store, as name: String = open) throws -> String {
    let written = try TinyTask.classify.write(to: store.folder)
    try FileManager.default.createDirectory(atPath: store.folder.path("mirror"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: written, toPath: store.folder.path("mirror/\(name).tflite"))
    return store.folder.path("mirror")
  }

  @Test("list prints all published models with their tasks")
  func list() throws {
    let store = try Store()
    let text = try store.run("models", "list")
    #expect(text.status == 0 && text.error.isEmpty)
    let models = try #require(try store.run("models", "list", "--json").json()["models"] as? [[String: Any]])
    #expect(models.count == ModelCatalog.models.count)
    for model in models {
      let name = try #require(model["name"] as? String)
      #expect(text.output.contains(" \(name) "))
      #expect(PublishedModel.Task(rawValue: model["task"] as? String ?? "") != nil)
      #expect(
        (model["url"] as? String)?.hasPrefix("https://") == true
          && (model["page"] as? String)?.hasPrefix("https://") == true)
      #expect(model["license"] is NSNull || model["license"] as? String == "Apache-2.0")
      let input = try #require(model["input"] as? [String: Any])
      #expect(input["width"] as? Int ?? 0 > 0 && input["height"] as? Int ?? 0 > 0 && input["dtype"] is String)
      #expect(["file", "page", "assumed"].contains(input["known_from"] as? String))
      #expect(
        input["known_from"] as? String != "file" || model["sha256"] is String,
        "what was looked into is known by its digest")
      #expect(model["downloaded"] as? Bool == false && model["path"] is NSNull)
      #expect(model["sha256"] is NSNull || (model["sha256"] as? String)?.count == 64)
    }
    #expect(store.files.isEmpty)
  }

  @Test("fetch copies a model from a mirror directory, and tasks find it by name")
  func fetchFromFolder() throws {
    let store = try Store()
    let mirror = try mirror(in: store)
    let image = try FlagImage.write(to: store.folder)
    let before = try store.run("classify", image, "--model", Self.open)
    #expect(before.status == 1 && before.error.contains("swiftlet models fetch \(Self.open)"), "\(before.error)")
    #expect(try store.run("models", "path", Self.open).error.contains("swiftlet models fetch \(Self.open)"))

    let fetched = try store.run("models", "fetch", Self.open, "--from", mirror)
    #expect(fetched.status == 0 && fetched.error.isEmpty, "\(fetched.error)")
    let path = try store.run("models", "path", Self.open)
    #expect(path.status == 0 && path.output == fetched.output && path.output.hasPrefix("/"))
    #expect(
      FileManager.default.contentsEqual(
        atPath: String(path.output.dropLast()), andPath: mirror + "/\(Self.open).tflite"))

    let result = try store.run("classify", image, "--model", Self.open, "--json", "--max-results", "1")
    #expect(result.status == 0, "\(result.error)")
    #expect(try result.json()["classifications"] != nil)
    #expect(try store.run("models", "list").output.contains("* \(Self.open) "))
    let listed = try #require(try store.run("models", "list", "--json").json()["models"] as? [[String: Any]])
    #expect(listed.filter { $0["downloaded"] as? Bool == true }.map { $0["name"] as? String } == [Self.open])
    #expect(listed.first { $0["name"] as? String == Self.open }?["path"] as? String == String(path.output.dropLast()))
  }

  @Test("fetch accepts bundles, and rejects other files")
  func bundles() throws {
    let store = try Store()
    let model = try [UInt8](Data(contentsOf: URL(fileURLWithPath: TinyTask.classify.write(to: store.folder))))
    let bundle = RawArchive([.init("hand_detector.tflite", model)]).bytes
    try FileManager.default.createDirectory(atPath: store.folder.path("mirror"), withIntermediateDirectories: true)
    let mirror = store.folder.path("mirror")
    _ = try store.folder.write(model, to: "mirror/hand-landmarker.task")
    let refused = try store.run("models", "fetch", "hand-landmarker", "--from", mirror)
    #expect(refused.status == 1 && refused.error.contains("expected a .task bundle"), "\(refused.error)")
    #expect(store.files.isEmpty)
    _ = try store.folder.write(bundle, to: "mirror/hand-landmarker.task")
    let fetched = try store.run("models", "fetch", "hand-landmarker", "--from", mirror)
    #expect(fetched.status == 0 && fetched.error.isEmpty, "\(fetched.error)")
    let described = try store.run("inspect", "hand-landmarker", "--json")
    #expect(described.status == 0, "\(described.error)")
    #expect((try described.json()["members"] as? [[String: Any]])?.first?["kind"] as? String == "model")
    // A bundle is rejected if a model is expected.
    _ = try store.folder.write(bundle, to: "mirror/\(Self.open).tflite")
    let other = try store.run("models", "fetch", Self.open, "--from", mirror)
    #expect(other.status == 1 && other.error.contains("expected a .tflite model"), "\(other.error)")
  }

  @Test("fetch downloads a model from a mirror server, by the path of its URL")
  func fetchFromServer() throws {
    let store = try Store()
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: mirror(in: store) + "/\(Self.open).tflite")))
    let server = try LoopbackServer { .file(bytes, etag: "\"e\"", for: $0) }
    let result = try store.run("models", "fetch", Self.open, "--json", "--from", server.url("/copy").absoluteString)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let model = try #require((try result.json()["models"] as? [[String: Any]])?.first)
    #expect(model["name"] as? String == Self.open && model["size_bytes"] as? Int == bytes.count)
    #expect(model["sha256"] as? String == SHA256.hex(of: bytes))
    #expect(server.requests.map(\.path) == ["/copy" + Self.openPath])
  }

  @Test("a file other than the published one is rejected, and nothing is installed")
  func wrongFile() throws {
    let store = try Store()
    let mirror = try mirror(in: store, as: Self.pinned)
    let result = try store.run("models", "fetch", Self.pinned, "--from", mirror)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(
      result.error.hasPrefix("error: \(Self.pinned): ") && result.error.contains("SHA-256")
        && result.error.split(separator: "\n").count == 1)
    #expect(store.files.isEmpty)
  }

  @Test("a failed fetch is one line and status 1", arguments: ["empty", "404", "text", "http"])
  func failures(kind: String) throws {
    let store = try Store()
    let server = try LoopbackServer { _ in
      kind == "404" ? LoopbackResponse(status: 404) : LoopbackResponse(body: Array("no model".utf8))
    }
    try FileManager.default.createDirectory(atPath: store.folder.path("nothing"), withIntermediateDirectories: true)
    let from =
      kind == "empty"
      ? store.folder.path("nothing") : kind == "http" ? "http://192.0.2.1" : server.url("").absoluteString
    let result = try store.run("models", "fetch", Self.open, "--from", from)
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(
      result.error.hasPrefix("error: \(Self.open): ") && result.error.split(separator: "\n").count == 1,
      "\(result.error)")
    #expect(store.files.isEmpty)
  }

  @Test("a mistyped mirror directory gets a suggestion")
  func mistypedMirror() throws {
    let store = try Store()
    let mirror = try mirror(in: store)
    let result = try store.run("models", "fetch", Self.open, "--from", mirror + "s")
    #expect(
      result.status == 1 && result.error == "error: \(mirror)s: there is no such folder; did you mean '\(mirror)'?\n")
    #expect(store.files.isEmpty)
  }

  @Test("a mistyped model of a task gets a suggestion")
  func suggestion() throws {
    let store = try Store()
    let image = try FlagImage.write(to: store.folder)
    let result = try store.run("classify", image, "--model", "eficientnet-lite0")
    #expect(
      result.status == 1 && result.error.contains("did you mean the published model 'efficientnet-lite0'?"),
      "\(result.error)")
    let far = try store.run("classify", image, "--model", "weights.bin")
    #expect(far.status == 1 && !far.error.contains("did you mean"))
  }

  @Test(
    "the catalog lists the contents of inspected files",
    .enabled(if: TestData.has("models"), "\(TestData.skipReason)"))
  func inputsOfFiles() throws {
    let files = [
      "blaze-face-short-range": "face/face_detector_short_range_metadata",
      "face-detection-short-range": "face/face_detection_short_range",
      "face-detection-full-range": "face/face_detection_full_range",
      "coco-ssd-mobilenet-v1": "detection/coco_ssd_mobilenet_v1_1.0_quant",
      "mobile-object-localizer": "detection/mobile_object_localizer_192",
      "selfie-segmentation": "segmentation/selfie_segmentation_256",
      "mobilenet-v1-quarter": "classification/mobilenet_v1_0.25_224_float",
      "mobilenet-v1-quarter-int8": "classification/mobilenet_v1_0.25_224_quant",
      "mobile-object-labeler": "classification/object_labeler",
    ]
    let known = ModelCatalog.models.filter { $0.input.source == .file }
    #expect(Set(known.map(\.name)) == Set(files.keys))
    let store = try Store()
    try FileManager.default.createDirectory(atPath: store.folder.path("mirror"), withIntermediateDirectories: true)
    for (name, file) in files {
      try FileManager.default.createSymbolicLink(
        atPath: store.folder.path("mirror/\(name).tflite"), withDestinationPath: TestData.path("models/\(file).tflite"))
    }
    // The store only accepts a file with the digest in the catalog.
    let fetched = try Tool.run(
      ["models", "fetch", "--from", store.folder.path("mirror")] + known.map(\.name),
      environment: ["SWIFTLET_MODELS": store.folder.path("store")])
    #expect(fetched.status == 0, "\(fetched.error)")
    for model in known {
      let description = try store.run("inspect", model.name, "--json")
      #expect(description.status == 0, "\(description.error)")
      let graph = try #require((try description.json()["subgraphs"] as? [[String: Any]])?.first)
      let input = try #require((graph["inputs"] as? [[String: Any]])?.first)
      #expect(input["shape"] as? [Int] == [1, model.input.height, model.input.width, 3], "\(model.name)")
      #expect(input["dtype"] as? String == model.input.type, "\(model.name)")
    }
  }

  @Test(
    "a published model in the test data works", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)")
  )
  func published() throws {
    let store = try Store()
    let name = "mobilenet-v1-quarter-int8"
    let source = TestData.path("models/classification/mobilenet_v1_0.25_224_quant.tflite")
    try FileManager.default.createDirectory(atPath: store.folder.path("mirror"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: store.folder.path("mirror/\(name).tflite"), withDestinationPath: source)
    let fetched = try store.run("models", "fetch", name, "--from", store.folder.path("mirror"))
    #expect(fetched.status == 0, "\(fetched.error)")
    let result = try store.run(
      "classify", TestData.path("images/cats_and_dogs.jpg"), "--model", name, "--max-results", "3")
    #expect(result.status == 0 && !result.output.isEmpty, "\(result.error)")
  }

  @Test("shows a progress bar only on a terminal", .enabled(if: Terminal.isAvailable))
  func progressBar() throws {
    let store = try Store()
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: mirror(in: store) + "/\(Self.open).tflite")))
    // Slow enough that the progress bar is drawn.
    let server = try LoopbackServer { request in
      Thread.sleep(forTimeInterval: 0.5)
      return .file(bytes, for: request)
    }
    let arguments = ["models", "fetch", Self.open, "--from", server.url("").absoluteString]
    let environment = ["SWIFTLET_MODELS": store.folder.path("store")]
    let seen = try Terminal.text(of: arguments, environment: environment)
    #expect(seen.contains(Self.open) && seen.contains("·") && seen.contains("MB"), "\(seen)")
    #expect(seen.contains("\r\u{1B}[K/"), "the bar is taken away before the result is printed: \(seen)")
    try FileManager.default.removeItem(atPath: store.folder.path("store"))
    #expect(try Tool.run(arguments, environment: environment).error.isEmpty)
  }
}
