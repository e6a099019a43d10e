import Foundation
import MLKit
import SwiftletTestSupport
import Testing

@Suite("Code in ML Kit's guide", .timeLimit(.minutes(30)))
struct GuideTests {
  @Test("tracks and classifies the most prominent object")
  func camera() throws {
    let fixtures = try Fixtures()
    let caption = CameraCaption(localModelFilePath: fixtures.classifier.path, localizer: fixtures.localizer)
    let image = try Fixtures.image([Fixtures.object(90, 90), Fixtures.object(0, 0, score: 120)])
    let frames = (0..<4).map { _ in caption.captions(for: image) }
    #expect(frames.allSatisfy { $0.count == 1 } && Set(frames).count == 1)
    #expect(frames[0][0].contains("Label 0: ") && frames[0][0].contains("Label 2: ") && !frames[0][0].contains("-"))
  }

  @Test("lists the objects of a photo, without IDs")
  func photo() async throws {
    let fixtures = try Fixtures()
    let queue = DispatchQueue(label: "photo")
    let list = PhotoList(localModel: fixtures.classifier, localizer: fixtures.localizer, callbacks: queue)
    let image = try Fixtures.image([Fixtures.object(90, 90), Fixtures.object(180, 10)])
    await withCheckedContinuation { continuation in list.list(image) { continuation.resume() } }
    let text = queue.sync { list.resultsText }
    #expect(text.components(separatedBy: "Object ID: none").count == 3, "\(text)")
  }

  @Test("finds objects without a custom model, and without labels, as there is no coarse classifier")
  func plain() throws {
    let fixtures = try Fixtures()
    let detection = PlainDetection(localizer: fixtures.localizer)
    let image = try Fixtures.image([Fixtures.object(90, 90), Fixtures.object(180, 10)])
    let objects = try detection.objectDetector.results(in: image)
    #expect(objects.count == 2 && objects.allSatisfy { $0.labels.isEmpty })
    #expect(try detection.foods(in: image).isEmpty)
    // An app can configure a localizer.
    let options = ObjectDetectorOptions()
    (options.detectorMode, options.shouldEnableClassification) = (.singleImage, true)
    (options.localizerModel, options.coarseClassifierModel) = (fixtures.localizer, fixtures.classifier)
    #expect(try ObjectDetector.objectDetector(options: options).results(in: image).first?.labels.count == 3)
  }

  // MARK: Remote models

  private func server(_ model: PassingModel, status: Int = 200) throws -> LoopbackServer {
    let bytes = model.bytes
    return try LoopbackServer { request in
      status == 200 ? .file(bytes, etag: "\"1\"", for: request) : LoopbackResponse(status: status)
    }
  }

  private func manager(_ fixtures: Fixtures) -> ModelManager {
    var options = ModelStoreOptions(directory: fixtures.folder.appendingPathComponent("store"))
    options.allowsLoopbackHTTP = true
    return ModelManager(store: ModelStore(options: options), callbackQueue: DispatchQueue(label: "notifications"))
  }

  /// A model of the same classes with other names.
  private var remoteColors: PassingModel {
    PassingModel(
      type: .uint8, scale: 1 / 255, width: 1, height: 1,
      outputs: [.init(shape: [1, 3], labels: ["rouge", "vert", "bleu"])])
  }

  private func download(_ naturalist: Naturalist) async {
    await withCheckedContinuation { continuation in
      naturalist.observe { continuation.resume() }
      naturalist.startDownload()
    }
  }

  @Test("hosted only: no detector exists until the model has been downloaded")
  func hosted() async throws {
    let fixtures = try Fixtures()
    let server = try server(remoteColors)
    let source = RemoteModelSource(
      model: .init(name: "hosted-" + UUID().uuidString, url: server.url("/model.tflite")))
    let naturalist = Naturalist(
      source: source, localModel: nil, localizer: fixtures.localizer, manager: manager(fixtures))
    #expect(naturalist.makeDetector() == nil && server.requests.isEmpty)
    await download(naturalist)
    #expect(naturalist.events == ["downloaded"] && naturalist.downloadProgress?.isFinished == true)
    let detector = try #require(naturalist.makeDetector())
    let objects = try await detector.process(Fixtures.image([Fixtures.object(90, 90)]))
    #expect(Set(try #require(objects.first).labels.map(\.text)) == ["rouge", "vert", "bleu"])
  }

  @Test("both: the app's model is used until the hosted one is available, and existing detectors keep theirs")
  func both() async throws {
    let fixtures = try Fixtures()
    let server = try server(remoteColors)
    let source = RemoteModelSource(
      model: .init(name: "both-" + UUID().uuidString, url: server.url("/model.tflite")))
    let naturalist = Naturalist(
      source: source, localModel: fixtures.classifier, localizer: fixtures.localizer, manager: manager(fixtures))
    let image = try Fixtures.image([Fixtures.object(90, 90)])
    let before = try #require(naturalist.makeDetector())
    func texts(_ detector: ObjectDetector) async throws -> Set<String> {
      Set(try await detector.process(image).first?.labels.map(\.text) ?? [])
    }
    #expect(try await texts(before) == ["red", "green", "blue"])
    await download(naturalist)
    let after = try #require(naturalist.makeDetector())
    #expect(try await texts(after) == ["rouge", "vert", "bleu"])
    #expect(try await texts(before) == ["red", "green", "blue"])
  }

  @Test("a failed download is reported, and the app's model stays in use")
  func failedDownload() async throws {
    let fixtures = try Fixtures()
    let server = try server(remoteColors, status: 404)
    let source = RemoteModelSource(
      model: .init(name: "failing-" + UUID().uuidString, url: server.url("/model.tflite")))
    let naturalist = Naturalist(
      source: source, localModel: fixtures.classifier, localizer: fixtures.localizer, manager: manager(fixtures))
    await download(naturalist)
    #expect(naturalist.events == ["failed: 5"])
    let detector = try #require(naturalist.makeDetector())
    #expect(try await detector.process(Fixtures.image([Fixtures.object(90, 90)])).first?.labels.isEmpty == false)
  }

  @Test("a detector without its remote model reports the error on every call, without requests")
  func missingRemoteModel() async throws {
    let fixtures = try Fixtures()
    let server = try server(remoteColors)
    let remoteModel = CustomRemoteModel(
      remoteModelSource: RemoteModelSource(model: .init(name: "missing", url: server.url("/model.tflite"))))
    let options = CustomObjectDetectorOptions(remoteModel: remoteModel)
    options.localizerModel = fixtures.localizer
    options.modelManager = manager(fixtures)
    let detector = ObjectDetector.objectDetector(options: options)
    let image = try Fixtures.image([])
    for _ in 0..<2 {
      await #expect(throws: MLKitError.modelNotDownloaded(name: "missing")) {
        try await detector.process(image)
      }
    }
    #expect(server.requests.isEmpty)
  }
}
