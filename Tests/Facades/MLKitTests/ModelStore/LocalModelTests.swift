import Foundation
import MLKit
import Testing

@Suite("Local model")
struct LocalModelTests {
  /// A directory with an AutoML Vision Edge export that is deleted with the object.
  final class Export {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-export-" + UUID().uuidString)

    init(manifest: String, files: [String: String] = ["model.tflite": "TFL3", "dict.txt": "cat\ndog\n"]) throws {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("inner"), withIntermediateDirectories: true)
      for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
      try Data(manifest.utf8).write(to: path("manifest.json"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> URL { folder.appendingPathComponent(name) }
    var manifest: String { path("manifest.json").path }
  }

  @Test("a path is checked only when it is used, and must be an absolute file path")
  func path() throws {
    for (path, code) in [
      ("model.tflite", ModelStoreError.Code.invalidArgument), ("~/model.tflite", .invalidArgument),
      ("", .invalidArgument), ("/nowhere/model.tflite", .modelNotFound), ("/", .modelNotFound),
    ] {
      #expect(LocalModel(path: path).path == path)
      let error = #expect(throws: ModelStoreError.self) { try LocalModel(path: path).checkedPath() }
      #expect(error?.code == code, "\(path)")
    }
    let export = try Export(manifest: "{}")
    let path = export.folder.appendingPathComponent("model.tflite").path
    #expect(try LocalModel(path: path).checkedPath() == path)
  }

  @Test("a manifest contains the model and its labels")
  func manifest() throws {
    let export = try Export(
      manifest: #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING"}"#)
    let model = try #require(LocalModel(manifestPath: export.manifest))
    #expect(model.path == export.folder.appendingPathComponent("model.tflite").path)
    #expect(model.manifestPath == export.manifest && model.labels == ["cat", "dog"])
    #expect(try model.checkedPath() == model.path)

    let bare = try Export(manifest: #"{"modelFile": "model.tflite"}"#)
    #expect(LocalModel(manifestPath: bare.manifest)?.labels == nil)
  }

  @Test(
    "an invalid manifest gives no model",
    arguments: [
      "", "[]", "{}", #"{"labelsFile": "dict.txt"}"#, #"{"modelFile": 3}"#, #"{"modelFile": "other.tflite"}"#,
      #"{"modelFile": "model.tflite", "labelsFile": "other.txt"}"#,
      #"{"modelFile": "model.tflite", "labelsFile": "empty.txt"}"#,
      #"{"modelFile": "model.tflite", "modelType": "TRANSLATION"}"#, #"{"modelFile": "inner"}"#,
      #"{"modelFile": "inner/../model.tflite"}"#,
      #"{"modelFile": "/etc/hostname"}"#, #"{"modelFile": "model.tflite", "labelsFile": "../dict.txt"}"#,
    ])
  func invalidManifest(manifest: String) throws {
    let export = try Export(manifest: manifest, files: ["model.tflite": "TFL3", "dict.txt": "cat", "empty.txt": ""])
    #expect(LocalModel(manifestPath: export.manifest) == nil)
  }

  @Test("an invalid path is rejected with the reason")
  func pathWords() throws {
    let export = try Export(manifest: "{}")
    let pipe = export.folder.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let link = export.folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: export.folder.appendingPathComponent("model.tflite").path)
    #expect(try LocalModel(path: link).checkedPath() == link)
    let absent = export.folder.path + "/absent"
    for (path, code, words) in [
      (
        "m.tflite", ModelStoreError.Code.invalidArgument,
        "the path of a local model must be absolute, got 'm.tflite'; ask the bundle for it, such as with Bundle.main.path(forResource:ofType:)"
      ),
      (
        "/m\0", .invalidArgument,
        "the path of a local model must be absolute, got '/m '; ask the bundle for it, such as with Bundle.main.path(forResource:ofType:)"
      ),
      (export.folder.path, .modelNotFound, "\(export.folder.path) is a folder, not a model file"),
      (pipe, .modelNotFound, "\(pipe) is a pipe or a device, not a model file"),
      (absent, .modelNotFound, "there is no model file at \(absent); is it part of the bundle?"),
    ] {
      let error = #expect(throws: ModelStoreError.self) { try LocalModel(path: path).checkedPath() }
      #expect(error == ModelStoreError(code, words))
    }
  }

  @Test("file names may contain dots and directories, but must stay in the manifest's directory")
  func names() throws {
    for (name, isThere) in [
      ("inner/m", true), ("..m", true), ("./model.tflite", true), ("", false), ("..", false), ("../x", false),
      ("m\\u0000", false),
    ] {
      let export = try Export(
        manifest: #"{"modelFile": "\#(name)"}"#, files: ["model.tflite": "a", "inner/m": "b", "..m": "c"])
      #expect((LocalModel(manifestPath: export.manifest) != nil) == isThere, "\(name)")
    }
  }

  @Test("a manifest is read up to a megabyte", arguments: [1 << 20, 1 << 20 + 1])
  func longManifest(byteCount: Int) throws {
    let json = #"{"modelFile": "model.tflite"}"#
    let export = try Export(manifest: json + String(repeating: " ", count: byteCount - json.utf8.count))
    #expect((LocalModel(manifestPath: export.manifest) != nil) == (byteCount == 1 << 20))
  }

  @Test("a model at a path has no manifest and no labels")
  func bare() {
    let model = LocalModel(path: "/m")
    #expect(model.path == "/m" && model.manifestPath == nil && model.labels == nil)
  }

  @Test("without a manifest, there is no model")
  func noManifest() {
    #expect(LocalModel(manifestPath: "/nowhere/manifest.json") == nil)
    #expect(LocalModel(manifestPath: "manifest.json") == nil)
  }

  @Test("Firebase manifests and settings that are pipes or devices don't block")
  func foreignManifests() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-foreign-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    for path in [pipe.path, "/dev/zero", folder.path] {
      #expect(LocalModel(manifestPath: path) == nil)
      #expect(throws: ModelStoreError.self) { try LocalModel(path: path).checkedPath() }
      #expect(throws: ModelStoreError.self) { _ = try FirebaseInstallation(propertyList: URL(fileURLWithPath: path)) }
    }
    for (labels, isThere) in [("pipe", false), ("labels.txt", true)] {
      try Data("cat\n".utf8).write(to: folder.appendingPathComponent("labels.txt"))
      try Data("TFL3".utf8).write(to: folder.appendingPathComponent("m.tflite"))
      try Data("{\"modelFile\":\"m.tflite\",\"labelsFile\":\"\(labels)\"}".utf8).write(
        to: folder.appendingPathComponent("manifest.json"))
      #expect((LocalModel(manifestPath: folder.appendingPathComponent("manifest.json").path) != nil) == isThere)
    }
  }
}
