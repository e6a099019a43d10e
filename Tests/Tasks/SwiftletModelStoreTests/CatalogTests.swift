import Foundation
import ModelStoreTestSupport
import SwiftletTestSupport
import Testing

@_spi(Facades) @testable import SwiftletModelStore

@Suite("Catalog of published models")
struct CatalogTests {
  /// The name, task, width, height, type, source of this information, license, end of the page's URL, and first digits
  /// of the digest. There is one line per model in catalog order. The catalog is published, so a change of the catalog
  /// requires a change here.
  static let published: [String] = """
    blaze-face-short-range detect-faces 128 128 float32 file Apache-2.0 Range).pdf b4578f35
    face-detection-short-range detect-faces 128 128 float32 file Apache-2.0 Range).pdf 3bc182eb
    face-detection-short-range-metadata detect-faces 128 128 float32 assumed Apache-2.0 Range).pdf 42012b07
    face-detection-full-range detect-faces 192 192 float32 file Apache-2.0 Range).pdf 99bf9494
    face-detection-full-range-metadata detect-faces 192 192 float32 assumed Apache-2.0 Range).pdf f5fd43a3
    efficientdet-lite0 detect-objects 320 320 float32 page - object_detector -
    efficientdet-lite0-int8 detect-objects 320 320 uint8 assumed - object_detector -
    efficientdet-lite2 detect-objects 448 448 float32 page - object_detector -
    coco-efficientdet-lite0-v1 detect-objects 320 320 uint8 assumed - object_detector dee1b4af
    coco-ssd-mobilenet-v1 detect-objects 300 300 uint8 file Apache-2.0 object_detector 61d59809
    mobile-object-localizer detect-objects 192 192 uint8 file Apache-2.0 1 82ebc4ac
    deeplab-v3 segment 257 257 float32 page - image_segmenter -
    deeplab-v3-test segment 257 257 float32 assumed - image_segmenter 5faed2c6
    hair-segmenter segment 512 512 float32 page Apache-2.0 Segmentation.pdf -
    selfie-multiclass segment 256 256 float32 page Apache-2.0 Segmentation.pdf -
    selfie-segmenter segment 256 256 float32 page Apache-2.0 Segmentation.pdf -
    selfie-segmentation segment 256 256 float32 file Apache-2.0 Segmentation.pdf 8d13b7fa
    selfie-segmentation-landscape segment 256 144 float32 page Apache-2.0 Segmentation.pdf 4aafe622
    magic-touch segment 512 512 float32 assumed - interactive_segmenter e24338a7
    mobilenet-v3-small embed 224 224 float32 page - image_embedder -
    mobilenet-v3-large embed 224 224 float32 page - image_embedder -
    mobilenet-v3-small-test embed 224 224 float32 assumed - image_embedder f7b9a563
    efficientnet-lite0 classify 224 224 float32 page - image_classifier -
    efficientnet-lite2 classify 260 260 float32 assumed - image_classifier -
    mobilenet-v2 classify 224 224 float32 assumed - image_classifier ff5cb7f9
    mobilenet-v1-quarter classify 224 224 float32 file Apache-2.0 image_classifier 348cc122
    mobilenet-v1-quarter-int8 classify 224 224 uint8 file Apache-2.0 image_classifier e480eb15
    mobile-object-labeler classify 224 224 uint8 file Apache-2.0 image_classifier 9400671e
    hand-landmarker landmark-hands 192 192 float32 assumed - hand_landmarker -
    hand-landmarker-test landmark-hands 192 192 float32 assumed - hand_landmarker 32d1eab9
    gesture-recognizer recognize-gestures 192 192 float32 assumed - gesture_recognizer -
    gesture-recognizer-test recognize-gestures 192 192 float32 assumed - gesture_recognizer d48562f5
    face-landmarker landmark-faces 128 128 float32 assumed - face_landmarker -
    face-landmarker-v2-test landmark-faces 128 128 float32 assumed - face_landmarker af23fc7c
    face-landmarker-v2-blendshapes-test landmark-faces 128 128 float32 assumed - face_landmarker b261925d
    pose-landmarker-lite landmark-poses 224 224 float32 assumed - pose_landmarker -
    pose-landmarker-full landmark-poses 224 224 float32 assumed - pose_landmarker -
    pose-landmarker-heavy landmark-poses 224 224 float32 assumed - pose_landmarker -
    pose-landmarker-test landmark-poses 224 224 float32 assumed - pose_landmarker fb9cc326
    holistic-landmarker landmark-holistic 224 224 float32 assumed - holistic_landmarker -
    holistic-landmarker-test landmark-holistic 224 224 float32 assumed - holistic_landmarker e2dab611
    """.split(separator: "\n").map(String.init)

  @Test("has the published models, in order")
  func models() {
    let described = ModelCatalog.models.map { model in
      let page =
        model.page.absoluteString.removingPercentEncoding?
        .replacing("#models", with: "").split { " /".contains($0) }.last ?? ""
      return [
        model.name, model.task.rawValue, "\(model.input.width)", "\(model.input.height)", model.input.type,
        model.input.source.rawValue, model.license ?? "-", String(page),
        model.sha256.map { String($0.prefix(8)) } ?? "-",
      ].joined(separator: " ")
    }
    #expect(described == Self.published)
  }

  /// The digest covers the URLs and digests, which cannot be checked line by line: a wrong digit changes it.
  @Test("has unchanged URLs and digests")
  func addresses() {
    let lines = ModelCatalog.models.map {
      "\($0.url.absoluteString) \($0.page.absoluteString) \($0.sha256 ?? "") \($0.summary)\n"
    }
    #expect(
      SHA256.hex(of: Array(lines.joined().utf8)) == "21c2b67a308ff5083aa55c317336f773328f662063a90d3acb219a0a80b75d69",
      "review the change, then write the new digest here")
  }

  @Test("has valid URLs, pages, and digests, and unique names and URLs")
  func form() throws {
    let models = ModelCatalog.models
    #expect(Set(models.map(\.name)).count == models.count && Set(models.map(\.url)).count == models.count)
    for model in models {
      #expect(
        ["mediapipe-", "tfhub-lite-models/"].contains {
          model.url.absoluteString.hasPrefix("https://storage.googleapis.com/" + $0)
        }, "\(model.name)")
      #expect(model.url.pathExtension == (model.task.takesBundles ? "task" : "tflite"), "\(model.name)")
      #expect(
        model.page.absoluteString.hasPrefix("https://storage.googleapis.com/mediapipe-assets/")
          || model.page.absoluteString.hasPrefix("https://ai.google.dev/edge/mediapipe/solutions/vision/")
          || model.page.absoluteString.hasPrefix("https://tfhub.dev/google/"))
      #expect(model.sha256.map(SHA256.isHexDigest) ?? true && !model.summary.isEmpty, "\(model.name)")
      #expect(ModelCatalog.model(named: model.name) == model)
      let remote = model.remoteModel
      #expect(remote.name == model.name && remote.sha256 == model.sha256)
      #expect(remote.source.identity == "url " + model.url.absoluteString)
    }
    #expect(ModelCatalog.model(named: "") == nil && ModelCatalog.model(named: "Deeplab-v3") == nil)
  }

  @Test("finds tasks by name, and the tasks that take bundles")
  func tasks() {
    #expect(
      PublishedModel.Task.allCases.map(\.rawValue) == [
        "detect-faces", "detect-objects", "segment", "embed", "classify", "landmark-hands", "recognize-gestures",
        "landmark-faces", "landmark-poses", "landmark-holistic",
      ])
    #expect(
      PublishedModel.Task.allCases.map(\.takesBundles) == [
        false, false, false, false, false, true, true, true, true, true,
      ])
    #expect(PublishedModel.Source.allCases.map(\.rawValue) == ["file", "page", "assumed"])
  }

  // MARK: Mirrors

  private func file(_ model: RemoteModel) async throws -> RemoteModelFile? {
    let query = ModelQuery(modelName: model.name, sha256: model.sha256, client: HTTPClient())
    guard case .file(let file) = try await model.source.resolve(query) else { return nil }
    return file
  }

  @Test("finds copies by name, then by path, and then by a unique file name")
  func mirror() async throws {
    let model = try #require(ModelCatalog.model(named: "mobilenet-v2"))
    let root = try TestFolder()
    let last = root.path("mobilenet_v2_1.0_224.tflite")
    let path = root.path("mediapipe-assets/tasks/testdata/vision/mobilenet_v2_1.0_224.tflite")
    let named = root.path("mobilenet-v2.tflite")
    let error: ModelStoreError? = thrownError { try model.remoteModel(from: root.url) }
    #expect(error?.code == .notFound)
    #expect(
      error?.message
        == "\(root.url.path) has no file mobilenet-v2.tflite or mediapipe-assets/tasks/testdata/vision/mobilenet_v2_1.0_224.tflite or mobilenet_v2_1.0_224.tflite"
    )
    for expected in [last, path, named] {
      let folder = URL(fileURLWithPath: expected).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data([1]).write(to: URL(fileURLWithPath: expected))
      let copy = try model.remoteModel(from: root.url)
      let file = try #require(try await file(copy))
      #expect(file.url.path == expected && file.isLocalFileAllowed && file.sha256 == model.sha256)
      #expect(file.knownETag == nil)
      #expect(copy.name == model.name && copy.source.identity == model.remoteModel.source.identity)
      #expect(copy.sha256 == model.sha256)
    }
  }

  @Test("does not find a copy by a file name that several models share")
  func ambiguousMirror() throws {
    let names = Dictionary(grouping: ModelCatalog.models, by: \.url.lastPathComponent)
    let shared = try #require(names.values.first { $0.count > 1 }?.first)
    let root = try TestFolder()
    try root.write([1], to: shared.url.lastPathComponent)
    #expect(throws: ModelStoreError.self) { try shared.remoteModel(from: root.url) }
    let bundle = try #require(ModelCatalog.model(named: "hand-landmarker"))
    try root.write([1], to: "hand-landmarker.tflite")
    #expect(throws: ModelStoreError.self) { try bundle.remoteModel(from: root.url) }
    try root.write([1], to: "hand-landmarker.task")
    _ = try bundle.remoteModel(from: root.url)
  }

  @Test("appends the published path to the URL of a mirror")
  func remoteMirror() async throws {
    let model = try #require(ModelCatalog.model(named: "deeplab-v3"))
    let copy = try model.remoteModel(from: try #require(URL(string: "https://example.com/copies")))
    let file = try await file(copy)
    #expect(
      file?.url.absoluteString
        == "https://example.com/copies/mediapipe-models/image_segmenter/deeplab_v3/float32/1/deeplab_v3.tflite")
  }

  @Test("imports local copies into the store")
  func downloadedMirror() async throws {
    let root = try TestFolder()
    let bytes = SampleModel.bytes(3000)
    try root.write(bytes, to: "deeplab-v3.tflite")
    let store = TestStore()
    let model = try #require(ModelCatalog.model(named: "deeplab-v3"))
    let local = try await store.download(try model.remoteModel(from: root.url))
    #expect(FileManager.default.contents(atPath: local.path) == Data(bytes))
    #expect(store.isInstalled(model.remoteModel))
  }

  @Test("finds models by name, and lists the names for an unknown one")
  func published() throws {
    let model = try RemoteModel.published("deeplab-v3")
    #expect(model == ModelCatalog.model(named: "deeplab-v3")?.remoteModel)
    let error: ModelStoreError? = thrownError { _ = try RemoteModel.published("deeplab-v9") }
    #expect(
      error
        == ModelStoreError(
          .notFound, "there is no published model 'deeplab-v9'; ModelCatalog.models lists the names"))
  }
}
