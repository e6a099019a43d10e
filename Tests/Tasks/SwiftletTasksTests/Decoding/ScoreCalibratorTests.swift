import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Score calibrator")
struct ScoreCalibratorTests {
  /// Returns the calibrator of a model whose calibration file has these lines.
  private func calibrator(_ lines: [String], transformation: Int8 = 0) throws -> ScoreCalibrator {
    let output = PassingModel.Output(
      shape: [1, 6], calibration: lines.joined(separator: "\n"), scoreTransformation: transformation,
      defaultScore: 0.125)
    let model = try TaskModel(
      ModelContext(BaseOptions(model: .bytes(PassingModel(width: 2, height: 1, outputs: [output]).bytes))))
    return try #require(try ScoreCalibrator(model.outputMetadata(0), of: model))
  }

  /// A model without files.
  private static var bareModel: TaskModel {
    get throws { try TaskModel(ModelContext(BaseOptions(model: .bytes(SmallModels.positions)))) }
  }

  private func error<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

  @Test(
    "a score becomes scale / (1 + e^-(slope * g(score) + offset))",
    arguments: [
      // e^0.5, 16 e, and 9 e in the divisor: g is 1/4, ln 1/4, and ln 1/3.
      (0, 0.283_155_5), (1, 0.016_856_77), (2, 0.029_452_73),
    ] as [(Int8, Float)])
  func transformations(transformation: Int8, expected: Float) throws {
    let calibrator = try calibrator(["9,9,9", "0.75,2,-1"], transformation: transformation)
    #expect(abs(try calibrator.calibrated(0.25, category: 1) - expected) < 1e-7)
  }

  @Test("the minimum score is calibrated, and lower scores become the default score")
  func minimumScore() throws {
    let calibrator = try calibrator(["1,1,0,0.5", "", "1,1,0"])
    #expect(abs(try calibrator.calibrated(0.5, category: 0) - 0.622_459_3) < 1e-6)
    #expect(try calibrator.calibrated(Float(0.5).nextDown, category: 0) == 0.125)
    #expect(try calibrator.calibrated(0.9, category: 1) == 0.125)
    // Without a minimum, all scores are calibrated.
    #expect(abs(try calibrator.calibrated(-3, category: 2) - 0.047_425_87) < 1e-7)
  }

  @Test(
    "logarithms below 1e-16 are finite and increasing",
    arguments: [
      // x = g + offset: 0.158 639, -0.534 508 (2 ln 1e-16 - ln 2e-16), 0.317 278 (2 ln 1e-16 - ln 1).
      (1e-16, 37, 0.539_577), (0, 37, 0.369_466), (-1, 74, 0.578_661),
    ] as [(Float, Int, Float)])
  func smallScores(score: Float, offset: Int, expected: Float) throws {
    let calibrator = try calibrator(["1,1,\(offset)"], transformation: 1)
    #expect(abs(try calibrator.calibrated(score, category: 0) - expected) < 1e-4)
  }

  @Test("the inverse logistic function is bounded at both ends")
  func inverseLogisticEnds() throws {
    let calibrator = try calibrator(["1,1,0"], transformation: 2)
    #expect(try calibrator.calibrated(0.5, category: 0) == 0.5)
    #expect(try calibrator.calibrated(0, category: 0) < 1e-15)
    #expect(try calibrator.calibrated(1, category: 0) == 1)
    #expect(abs(try calibrator.calibrated(0.9, category: 0) - 0.9) < 1e-6)
  }

  @Test("results are in 0...scale, even if the exponent overflows")
  func range() throws {
    let calibrator = try calibrator(["0.5,1000,0", "0,1,1"])
    #expect(try calibrator.calibrated(1, category: 0) == 0.5)
    #expect(try calibrator.calibrated(-1, category: 0) == 0)
    #expect(try calibrator.calibrated(1, category: 1) == 0)
  }

  @Test("a class without a line is rejected", arguments: [-1, 2])
  func missingClass(category: Int) throws {
    let calibrator = try calibrator(["1,1,1", "1,1,1"])
    let error = error { try calibrator.calibrated(1, category: category) }
    #expect(error?.code == .invalidModel)
    #expect(error?.message == "class \(category) has no score calibration, the model has 2")
    #expect(self.error { try calibrator.calibrated(1, category: 1) } == nil)
  }

  @Test(
    "there is a line per class, and at most an empty one after them",
    arguments: [
      (["1,1,1", "1,1,1"], [2]), (["1,1,1", "1,1,1", ""], [2, 3]), (["1,1,1", "1,1,1", "1,1,1"], [3]),
      (["1,1,1", "1,1,1", "", ""], [3, 4]),
    ])
  func entries(lines: [String], fitting: [Int]) throws {
    let calibrator = try calibrator(lines)
    for count in 1...5 {
      let error = error { try calibrator.requireEntries(count) }
      #expect((error == nil) == fitting.contains(count), "\(count)")
      guard let error else { continue }
      #expect(error.code == .invalidModel)
      #expect(error.message.contains("parameters for \(lines.count) classes, but the output has \(count) scores"))
    }
  }

  @Test("metadata without calibration has no calibrator")
  func none() throws {
    let bare = try Self.bareModel
    #expect(try ScoreCalibrator(nil, of: bare) == nil)
    let file = AssociatedFile(name: "calibration.txt", kind: .tensorAxisScoreCalibration, locale: "")
    #expect(try ScoreCalibrator(TensorMetadata(associatedFiles: [file]), of: bare) == nil)
  }

  @Test("metadata with calibration must name one file that the model contains")
  func missingFile() throws {
    let bare = try Self.bareModel
    let unit = ProcessUnit.scoreCalibration(ScoreCalibration(transformation: .identity, defaultScore: 0))
    let labels = AssociatedFile(name: "labels.txt", kind: .tensorAxisLabels, locale: "")
    var metadata = TensorMetadata(processUnits: [unit], associatedFiles: [labels])
    let unnamed = error { try ScoreCalibrator(metadata, of: bare) }
    #expect(unnamed?.code == .missingMetadata)
    #expect(
      unnamed?.message
        == "the model asks for score calibration, but its metadata names no file with the parameters")
    metadata.associatedFiles.append(
      AssociatedFile(name: "calibration.txt", kind: .tensorAxisScoreCalibration, locale: ""))
    let absent = error { try ScoreCalibrator(metadata, of: bare) }
    #expect(absent?.code == .invalidModel && absent?.message.contains("calibration.txt") == true)
    metadata.processUnits.append(unit)
    #expect(error { try ScoreCalibrator(metadata, of: bare) }?.code == .invalidModel)
  }
}
