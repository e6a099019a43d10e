import Foundation
import SwiftletTestSupport
import Testing

@testable import TensorFlowLiteTaskVision

@Suite("Task Library")
struct TaskVisionTests {
  /// A model whose scores are the six bytes of an image of two pixels, in 256ths.
  private static var model: PassingModel {
    PassingModel(
      type: .uint8, scale: 1 / 256, width: 2, height: 1,
      outputs: [
        .init(
          shape: [1, 6], name: "scores", labels: ["a", "b", "c", "d", "e", "f"],
          displayNames: [("de", ["A", "B", "C", "D", "E", "F"])])
      ], normalization: nil)
  }

  private func withModel<Result>(_ bytes: [UInt8] = model.bytes, _ body: (String) throws -> Result) throws -> Result {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  private func makeImage(_ bytes: [UInt8] = [16, 64, 32, 128, 8, 96], width: Int = 2) throws -> MLImage {
    MLImage(
      imageBuffer: try ImageBuffer(
        bytes: bytes, width: width, height: bytes.count / 3 / width, pixelFormat: .rgb8))
  }

  private func classify(_ change: (ImageClassifierOptions) -> Void) throws -> [ClassificationCategory] {
    try withModel { path in
      let options = ImageClassifierOptions(modelPath: path)
      change(options)
      let result = try ImageClassifier.classifier(options: options).classify(mlImage: makeImage())
      return try #require(result.classifications.first).categories
    }
  }

  private func failure(_ body: () throws -> Void) -> NSError? {
    do {
      try body()
      return nil
    } catch {
      return error as NSError
    }
  }

  // MARK: Options

  @Test("options have the original's defaults")
  func defaults() {
    let options = ImageClassifierOptions(modelPath: "/model")
    #expect(options.baseOptions.modelFile.filePath == "/model")
    #expect(options.baseOptions.computeSettings.cpuSettings.numThreads == -1 as Int32)
    #expect(options.baseOptions.coreMLDelegateSettings == nil)
    #expect(options.classificationOptions.maxResults == -1 && options.classificationOptions.scoreThreshold == 0)
    #expect(options.classificationOptions.labelAllowList.isEmpty && options.classificationOptions.labelDenyList.isEmpty)
    #expect(options.classificationOptions.displayNamesLocale == "")
    #expect(ImageSegmenterOptions(modelPath: "/model").outputType == .categoryMask)
    #expect(ObjectDetectorOptions().baseOptions.modelFile.filePath == "")
  }

  @Test("values assigned to options are copied")
  func copies() throws {
    let base = BaseOptions()
    base.modelFile.filePath = "/first"
    base.computeSettings.cpuSettings.numThreads = 3
    let options = ObjectDetectorOptions()
    options.baseOptions = base
    base.modelFile.filePath = "/second"
    base.computeSettings.cpuSettings.numThreads = 4
    #expect(options.baseOptions.modelFile.filePath == "/first")
    #expect(options.baseOptions.computeSettings.cpuSettings.numThreads == 3 as Int32)
    let copy = try #require(base.copy() as? BaseOptions)
    #expect(copy !== base && copy.modelFile.filePath == "/second")
    let classes = ClassificationOptions()
    classes.maxResults = 2
    options.classificationOptions = classes
    classes.maxResults = 3
    #expect(options.classificationOptions.maxResults == 2)
  }

  @Test("the number of threads is accepted in the types of all releases")
  func threads() throws {
    let settings = CpuSettings(), count = 5
    settings.numThreads = count
    #expect(settings.numThreads == 5 as Int32)
    settings.numThreads = Int32(count + 1)
    let number: Int = settings.numThreads
    #expect(number == 6)
    settings.numThreads = Int.max
    #expect(settings.threadCount == Int(Int32.max))
    for (count, isTaken) in [(-1, true), (1, true), (Int.max, true), (0, false), (-2, false)] {
      let error = failure { _ = try classify { $0.baseOptions.computeSettings.cpuSettings.numThreads = count } }
      #expect((error == nil) == isTaken)
    }
  }

  // MARK: Classifier

  @Test("a classifier returns classes, best first")
  func classes() throws {
    let categories = try classify { _ in }
    #expect(categories.map(\.label) == ["d", "f", "b", "c", "a", "e"])
    #expect(categories.map(\.index) == [3, 5, 1, 2, 0, 4])
    #expect(categories.map(\.score) == [128, 96, 64, 32, 16, 8].map { Float($0) / 256 })
  }

  @Test("options select the reported classes")
  func choices() throws {
    #expect(try classify { $0.classificationOptions.maxResults = 2 }.map(\.label) == ["d", "f"])
    #expect(try classify { $0.classificationOptions.scoreThreshold = 0.25 }.map(\.label) == ["d", "f", "b"])
    #expect(try classify { $0.classificationOptions.labelAllowList = ["a", "b"] }.map(\.label) == ["b", "a"])
    #expect(
      try classify { $0.classificationOptions.labelDenyList = ["d", "f", "e"] }.map(\.label) == ["b", "c", "a"])
    #expect(try classify { $0.classificationOptions.displayNamesLocale = "de" }.first?.displayName == "D")
  }

  @Test("a classifier runs on a region of an image, in pixels")
  func region() throws {
    try withModel { path in
      let classifier = try ImageClassifier.classifier(options: ImageClassifierOptions(modelPath: path))
      let colors: [UInt8] = [1, 2, 3, 4, 5, 6, 200, 10, 20, 30, 40, 50]
      let image = try makeImage(colors, width: 4)
      let part = try classifier.classify(mlImage: image, regionOfInterest: CGRect(x: 2, y: 0, width: 2, height: 1))
      #expect(part.classifications.first?.categories.map(\.score) == [200, 50, 40, 30, 20, 10].map { Float($0) / 256 })
      for rectangle in [
        CGRect(x: 3, y: 0, width: 2, height: 1), CGRect(x: 0, y: 0, width: 0, height: 0),
        CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1), CGRect(x: -1, y: 0, width: 2, height: 1),
      ] {
        let error = failure { _ = try classifier.classify(mlImage: image, regionOfInterest: rectangle) }
        #expect(error?.domain == "org.tensorflow.lite.tasks" && error?.code == 2)
      }
    }
  }

  @Test("a region may extend to each edge of the image, but not past it")
  func regionLimits() throws {
    try withModel { path in
      let classifier = try ImageClassifier.classifier(options: ImageClassifierOptions(modelPath: path))
      let image = try makeImage((0..<24).map { UInt8(10 * $0) }, width: 4)
      func score(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Float? {
        try? classifier.classify(
          mlImage: image, regionOfInterest: CGRect(x: x, y: y, width: width, height: height)
        ).classifications.first?.categories.first?.score
      }
      // The largest byte of the second of two pixels.
      #expect(score(2, 1, 2, 1) == Float(230) / 256 && score(0, 0, 2, 1) == Float(50) / 256)
      #expect(score(0, 1, 2, 1) == Float(170) / 256 && score(0, 0, 4, 2) != nil)
      for (x, y, width, height) in [
        (-0.5, 0, 2, 1), (0, -0.5, 2, 1), (2.5, 0, 2, 1), (0, 1.5, 2, 1), (0, 0, 4.5, 1), (0, 0, 1, 2.5),
      ] as [(Double, Double, Double, Double)] {
        #expect(score(x, y, width, height) == nil)
      }
      let error = failure {
        _ = try classifier.classify(mlImage: image, regionOfInterest: CGRect(x: 3, y: 0, width: 2, height: 1))
      }
      #expect(error?.localizedDescription.hasSuffix("is not within the image of 4 × 2 pixels") == true)
    }
  }

  @Test("older names are equivalent")
  func olderNames() throws {
    try withModel { path in
      let classifier = try ImageClassifier.imageClassifier(options: ImageClassifierOptions(modelPath: path))
      #expect(try classifier.classify(gmlImage: makeImage()).classifications.first?.categories.first?.label == "d")
    }
  }

  @Test("as in the original, the orientation of an image does not matter")
  func orientation() throws {
    try withModel { path in
      let classifier = try ImageClassifier.classifier(options: ImageClassifierOptions(modelPath: path))
      let image = try makeImage()
      for orientation: MLImageOrientation in [.up, .right, .downMirrored] {
        image.orientation = orientation
        #expect(try classifier.classify(mlImage: image).classifications.first?.categories.first?.label == "d")
      }
    }
  }

  // MARK: Errors

  @Test("errors have the original's domain and codes")
  func errors() throws {
    for (path, code) in [("", 2), ("/no/such/model", 100)] {
      for error in [
        failure { _ = try ImageClassifier.classifier(options: ImageClassifierOptions(modelPath: path)) },
        failure { _ = try ObjectDetector.detector(options: ObjectDetectorOptions(modelPath: path)) },
        failure { _ = try ImageSegmenter.segmenter(options: ImageSegmenterOptions(modelPath: path)) },
      ] {
        #expect(error?.domain == "org.tensorflow.lite.tasks" && error?.code == code)
        #expect(error?.localizedDescription.isEmpty == false)
      }
    }
    try withModel([1, 2, 3]) { path in
      #expect(failure { _ = try ImageClassifier.classifier(options: .init(modelPath: path)) }?.code == 3)
    }
    try withModel { path in
      let options = ImageSegmenterOptions(modelPath: path)
      options.outputType = .unspecified
      #expect(failure { _ = try ImageSegmenter.segmenter(options: options) }?.code == 2)
    }
    for change: (ClassificationOptions) -> Void in [
      { $0.maxResults = 0 }, { $0.labelAllowList = [7] }, { $0.scoreThreshold = .nan },
      {
        $0.labelAllowList = ["a"]
        $0.labelDenyList = ["b"]
      },
    ] {
      #expect(failure { _ = try classify { change($0.classificationOptions) } }?.code == 2)
    }
  }

  // MARK: Detector

  @Test("a detector returns boxes in pixels")
  func boxes() throws {
    try withModel(BoxReadingModel.bytes) { path in
      let objects = [BoxReadingModel.Object(left: 51, top: 102, right: 153, bottom: 204, score: 204, category: 0)]
      let image = MLImage(
        imageBuffer: try ImageBuffer(
          bytes: BoxReadingModel.pixels(objects, width: 100, height: 50), width: 100, height: 50, pixelFormat: .rgb8))
      let detector = try ObjectDetector.detector(options: ObjectDetectorOptions(modelPath: path))
      let found = try #require(try detector.detect(mlImage: image).detections.first)
      let box = found.boundingBox
      #expect(abs(box.minX - 20) <= 1 && abs(box.minY - 20) <= 1)
      #expect(abs(box.width - 40) <= 1 && abs(box.height - 20) <= 1)
      let score = try #require(found.categories.first).score
      #expect(abs(score - 0.8) < 0.01)
    }
  }

  // MARK: Segmenter

  /// A model that returns an image of three channels as three classes.
  private static var segments: PassingModel {
    PassingModel(
      width: 2, height: 1, outputs: [.init(shape: [1, 1, 2, 3], labels: ["sky", "sea", "land"])])
  }

  @Test("a segmenter returns classes or confidences at the model's size")
  func masks() throws {
    try withModel(Self.segments.bytes) { path in
      let options = ImageSegmenterOptions(modelPath: path)
      let image = try makeImage([1, 9, 3, 8, 2, 5])
      let classes = try #require(
        try ImageSegmenter.segmenter(options: options).segment(mlImage: image).segmentations.first)
      let mask = try #require(classes.categoryMask)
      #expect(mask.width == 2 && mask.height == 1 && classes.confidenceMasks == nil)
      #expect(Array(UnsafeBufferPointer(start: mask.mask, count: 2)) == [1, 0])
      #expect(classes.coloredLabels.map(\.label) == ["sky", "sea", "land"])
      options.outputType = .confidenceMasks
      let sure = try #require(
        try ImageSegmenter.segmenter(options: options).segment(mlImage: image).segmentations.first)
      #expect(sure.categoryMask == nil && sure.coloredLabels.count == 3)
      #expect(
        sure.confidenceMasks?.map { Array(UnsafeBufferPointer(start: $0.mask, count: 2)) } == [
          [1, 8], [9, 2], [3, 5],
        ])
    }
  }

  @Test("there is a label for every class, even if the model has no names", arguments: [0, 3])
  func labels(count: Int) throws {
    var model = Self.segments
    let names = Array(["sky", "sea", "land"].prefix(count))
    model.outputs[0].labels = count == 0 ? nil : names
    model.outputs[0].displayNames = count == 3 ? [("en", ["Sky", "Sea", "Land"])] : []
    try withModel(model.bytes) { path in
      for (type, image, expected) in [
        (OutputType.categoryMask, [1, 9, 3, 8, 2, 5], 2), (.categoryMask, [1, 2, 9, 8, 2, 5], 3),
        (.categoryMask, [9, 2, 1, 8, 2, 5], 1), (.confidenceMasks, [9, 2, 1, 8, 2, 5], 3),
      ] as [(OutputType, [UInt8], Int)] {
        let options = ImageSegmenterOptions(modelPath: path)
        options.outputType = type
        let labels = try ImageSegmenter.segmenter(options: options).segment(mlImage: makeImage(image))
          .segmentations[0].coloredLabels
        #expect(labels.count == max(expected, count))
        #expect(labels.map(\.label) == (count == 0 ? labels.map { _ in "" } : names))
        #expect(labels.map(\.displayName) == (count == 0 ? labels.map { _ in "" } : ["Sky", "Sea", "Land"]))
        #expect(labels.map(\.r).prefix(2).elementsEqual([0, 128].prefix(labels.count)))
      }
    }
  }

  @Test("an unspecified output is rejected with the options to set")
  func unspecified() {
    let options = ImageSegmenterOptions(modelPath: "/m")
    options.outputType = .unspecified
    let error = failure { _ = try ImageSegmenter.segmenter(options: options) }
    #expect(error?.code == 2)
    #expect(
      error?.localizedDescription
        == "outputType must not be unspecified; ask for a category mask or confidence masks")
  }

  @Test("older names of the other tasks are equivalent")
  func olderTasks() throws {
    try withModel(Self.segments.bytes) { path in
      let segmenter = try ImageSegmenter.imageSegmenter(options: ImageSegmenterOptions(modelPath: path))
      #expect(try segmenter.segment(gmlImage: makeImage([1, 9, 3, 8, 2, 5])).segmentations[0].coloredLabels.count == 3)
    }
    try withModel(BoxReadingModel.bytes) { path in
      let image = MLImage(
        imageBuffer: try ImageBuffer(
          bytes: BoxReadingModel.pixels(
            [BoxReadingModel.Object(left: 51, top: 102, right: 153, bottom: 204, score: 204, category: 0)], width: 100,
            height: 50), width: 100, height: 50, pixelFormat: .rgb8))
      let detector = try ObjectDetector.objectDetector(options: ObjectDetectorOptions(modelPath: path))
      #expect(try detector.detect(gmlImage: image).detections.isEmpty == false)
    }
    try withModel { path in
      let classifier = try ImageClassifier.imageClassifier(options: ImageClassifierOptions(modelPath: path))
      let all = CGRect(x: 0, y: 0, width: 2, height: 1)
      #expect(
        try classifier.classify(gmlImage: makeImage(), regionOfInterest: all).classifications[0].categories[0].label
          == "d")
    }
  }

  @Test("classes have the colors of the PASCAL VOC challenge")
  func colors() {
    for (index, color) in [
      (0, [0, 0, 0]), (1, [128, 0, 0]), (2, [0, 128, 0]), (15, [192, 128, 128]), (255, [224, 224, 192]),
    ]
      as [(Int, [UInt])]
    {
      let label = ColoredLabel.numbered(index, label: nil, displayName: nil)
      #expect([label.r, label.g, label.b] == color && label.label == "" && label.displayName == "")
    }
  }

  @Test("masks can be created from an app's values, of any size")
  func ownMasks() {
    var numbers: [UInt8] = [1, 2, 3, 4]
    let mask = CategoryMask(width: 2, height: 2, mask: &numbers)
    numbers[0] = 9
    #expect(mask.mask[0] == 1 && mask.mask[3] == 4)
    let empty = ConfidenceMask(width: 2, height: 1, mask: nil)
    #expect(empty.mask[0] == 0 && empty.mask[1] == 0)
    for (width, height) in [(-1, 2), (.max, 2), (0, 5), (.min, .min)] {
      let none = ConfidenceMask(width: width, height: height, mask: nil)
      #expect(none.width == 0 && none.height == 0)
    }
  }

  @Test("apps can create results too")
  func results() {
    let category = ClassificationCategory(index: 1, score: 0.5, label: "a", displayName: nil)
    #expect(
      ClassificationResult(classifications: [Classifications(headIndex: 0, categories: [category])])
        .classifications[0].headName == "")
    let detection = Detection(boundingBox: CGRect(x: 1, y: 2, width: 3, height: 4), categories: [category])
    #expect(DetectionResult(detections: [detection]).detections[0].categories[0].label == "a")
  }

  @Test("Core ML's settings are accepted")
  func coreML() throws {
    let categories = try ProcessSettings.exclusively {
      try classify {
        $0.baseOptions.coreMLDelegateSettings = TFLCoreMLDelegateSettings(
          coreMLVersion: 3, enableddevices: .withNeuralEngine)
      }
    }
    #expect(categories.first?.label == "d")
  }

  // MARK: Page

  @Test("the code of the page equals the code that this test compiles")
  func documentation() throws {
    let code = try DocumentedCode(page: "task-library-facade.md")
    #expect(code.blocks.count == 3)
    #expect(try code.blocks(notIn: ["Facades/TensorFlowLiteTaskVisionTests/Guides/MigrationGuide.swift"]) == [])
  }

  @Test("code of the page runs")
  func guide() throws {
    try withModel { path in
      let namer = try #require(ImageNamer(modelPath: path, threadCount: 2, resultCount: 1, scoreThreshold: 0.1))
      #expect(try namer.names(of: makeImage()) == ["d: 0.5"])
    }
    #expect(ImageNamer(modelPath: "/no", threadCount: 1, resultCount: 1, scoreThreshold: 0) == nil)
    try withModel(Self.segments.bytes) { path in
      let image = try makeImage([1, 9, 3, 8, 2, 5])
      let colors = try TensorFlowLiteTaskVisionTests.colors(of: image, modelPath: path)
      #expect(colors == [[128, 0, 0], [0, 0, 0]])
    }
  }
}
