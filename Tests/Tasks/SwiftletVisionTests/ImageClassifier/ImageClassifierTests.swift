import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Image classifier")
struct ImageClassifierTests {
  /// An image with the scores 10, 40, 40, 20, 0, 30.
  private let rgbPixels: [UInt8] = [10, 40, 40, 20, 0, 30]
  private let labels = ["a", "b", "c", "d", "e", "f"]

  private func model(_ outputs: [PassingModel.Output]) -> PassingModel {
    PassingModel(width: 2, height: 1, outputs: outputs)
  }

  private var labeled: PassingModel { model([.init(shape: [1, 6], name: "probability", labels: labels)]) }

  private func classify(
    _ model: PassingModel, _ change: (inout ImageClassifierOptions) -> Void = { _ in }
  ) throws -> [Classification.Head] {
    var options = ImageClassifierOptions(baseOptions: model.base)
    change(&options)
    let image = try InputImage(rgb: rgbPixels, width: 2, height: 1)
    return try ImageClassifier(options: options).classification(of: image).heads
  }

  private func names(
    _ model: PassingModel, _ change: (inout ImageClassifierOptions) -> Void = { _ in }
  ) throws -> [String?] {
    try classify(model, change)[0].categories.map(\.categoryName)
  }

  @Test("all classes are reported, best first, and equal ones by index")
  func order() throws {
    let head = try classify(labeled)[0]
    #expect(head.categories.map(\.index) == [1, 2, 5, 3, 0, 4])
    #expect(head.categories.map(\.score) == [40, 40, 30, 20, 10, 0])
    #expect(head.categories.map(\.categoryName) == ["b", "c", "f", "d", "a", "e"])
    #expect(head.categories.allSatisfy { $0.displayName == nil })
    #expect(head.name == "probability")
  }

  @Test("maxResults and scoreThreshold limit the list, and a score at the threshold is kept")
  func cuts() throws {
    #expect(try names(labeled) { $0.maxResults = 2 } == ["b", "c"])
    #expect(try names(labeled) { $0.scoreThreshold = 30 } == ["b", "c", "f"])
    #expect(try names(labeled) { $0.scoreThreshold = 41 } == [])
  }

  @Test("negative scores are omitted unless the threshold is lowered")
  func negativeScores() throws {
    var shifted = labeled
    shifted.normalization = (25, 1)
    #expect(try names(shifted) == ["b", "c", "f"])
    #expect(try names(shifted) { $0.scoreThreshold = -100 }.count == 6)
  }

  @Test("allowlists and denylists filter classes by name, and only unknown names filter nothing")
  func lists() throws {
    #expect(try names(labeled) { $0.categoryAllowlist = ["e", "b", "b", "?"] } == ["b", "e"])
    #expect(try names(labeled) { $0.categoryDenylist = ["b", "?"] } == ["c", "f", "d", "a", "e"])
    #expect(try names(labeled) { $0.categoryAllowlist = ["?"] }.count == 6)
    #expect(try names(labeled) { ($0.categoryAllowlist, $0.maxResults) = (["a", "d"], 1) } == ["d"])
  }

  @Test("contradictory options are rejected")
  func contradictions() {
    let both = taskError {
      _ = try names(labeled) { ($0.categoryAllowlist, $0.categoryDenylist) = (["a"], ["b"]) }
    }
    #expect(
      both?.code == .invalidOption)
    #expect(taskError { _ = try names(labeled) { $0.maxResults = -1 } } != nil)
    let none = taskError { _ = try names(labeled) { $0.maxResults = 0 } }
    #expect(
      none?.code == .invalidOption
        && none?.message.contains("maxResults must be at least 1, or nil for all, got 0") == true)
    #expect(taskError { _ = try names(labeled) { $0.scoreThreshold = .nan } }?.code == .invalidOption)
    #expect(
      taskError { _ = try names(model([.init(shape: [6])])) { $0.categoryDenylist = ["a"] } }?.code == .invalidOption)
  }

  @Test("a model without labels returns only indices")
  func unlabeled() throws {
    let head = try classify(model([.init(shape: [6])]))[0]
    #expect(head.categories[0] == ResultCategory(index: 1, score: 40))
    #expect(head.name == nil)
  }

  @Test("display names must match the requested language exactly")
  func displayNames() throws {
    let german = labels.map { $0 + "-de" }
    let model = model([.init(shape: [6], labels: labels, displayNames: [("de", german)])])
    #expect(try classify(model) { $0.displayNamesLocale = "de" }[0].categories[0].displayName == "b-de")
    #expect(try classify(model)[0].categories[0].displayName == nil)
    #expect(try classify(model) { $0.displayNamesLocale = "de-AT" }[0].categories[0].displayName == nil)
  }

  @Test("every output is a separate head")
  func heads() throws {
    let model = model([.init(shape: [6], name: "one", labels: labels), .init(shape: [1, 6], name: "two")])
    let heads = try classify(model) { $0.maxResults = 1 }
    #expect(heads.map(\.name) == ["one", "two"])
    #expect(heads.map { $0.categories.map(\.categoryName) } == [["b"], [nil]])
    #expect(Classification(heads: heads).categories == heads[0].categories)
    #expect(Classification(heads: []).categories.isEmpty)
  }

  @Test("labels must match the number of scores")
  func labelCount() {
    let error = taskError { _ = try classify(model([.init(shape: [6], labels: ["a", "b"])])) }
    #expect(error?.code == .invalidModel && error?.message.contains("names 2 classes") == true)
  }

  @Test("a label file that is in the metadata but not in the model is reported by name")
  func missingLabels() {
    var model = labeled
    model.hasFiles = false
    let error = taskError { _ = try classify(model) }
    #expect(error?.code == .missingMetadata && error?.message.contains("labels0.txt") == true)
  }

  @Test("scores are calibrated before they are filtered and ranked")
  func calibration() throws {
    // Class 1 gets 1 / (1 + e^−(−40 + 40)), class 2 keeps the default, class 5 is below its minimum, and class 3 gets
    // nearly 0.7.
    let lines = ["", "1,-1,40", "", "0.7,1,0", "", "1,1,0,31"]
    var output = PassingModel.Output(shape: [6], labels: labels, calibration: lines.joined(separator: "\n"))
    output.defaultScore = 0.1
    let categories = try classify(model([output]))[0].categories
    #expect(categories.map(\.index) == [3, 1, 0, 2, 4, 5])
    #expect(zip(categories.map(\.score), [0.7, 0.5, 0.1, 0.1, 0.1, 0.1]).allSatisfy { abs($0 - Float($1)) < 1e-6 })
  }

  @Test("calibration parameters must match the number of scores, except for a final line feed")
  func calibrationCount() throws {
    let five = PassingModel.Output(shape: [6], calibration: "1,1,1\n1,1,1\n1,1,1\n1,1,1\n1,1,1")
    #expect(taskError { _ = try classify(model([five])) }?.code == .invalidModel)
    let six = PassingModel.Output(shape: [6], calibration: String(repeating: "1,1,1\n", count: 6))
    #expect(try classify(model([six]))[0].categories.count == 6)
  }

  @Test("NaN scores are omitted")
  func notANumber() throws {
    var decoder = ClassificationOutputDecoder(
      filter: try CategoryFilter(allow: [], deny: [], labels: nil), scoreThreshold: 0, maxResults: nil)
    let scores: [Float] = [.nan, 1, .infinity, -1]
    let result = try scores.withUnsafeBufferPointer { try decoder.decode($0, results: .ofDefaultLimits) }
    #expect(result.categories.map(\.index) == [2, 1])
  }

  @Test("booleans are scores of 0 and 1")
  func booleans() throws {
    let output = RealOutput()
    let spec = TensorSpec(name: "mask", elementType: .bool, shape: [3])
    let values = try [UInt8](arrayLiteral: 0, 1, 1).withUnsafeBytes {
      try output.withValues(of: $0, spec) { Array($0) }
    }
    #expect(values == [0, 1, 1])
  }
}
