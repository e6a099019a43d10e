import SwiftletGolden
import SwiftletSchema
import Testing

@Suite("Comparison of detections")
struct DetectionComparisonTests {
  struct Row {
    var box: [Float]
    var category: Float
    var score: Float
  }

  static let rows = [
    Row(box: [0.1, 0.1, 0.4, 0.4], category: 3, score: 0.9), Row(box: [0.5, 0.5, 0.9, 0.8], category: 3, score: 0.8),
    Row(box: [0.2, 0.6, 0.5, 0.95], category: 7, score: 0.7998),
    Row(box: [0.0, 0.0, 0.2, 0.1], category: 1, score: 0.4),
  ]

  static let outputs = DetectionOutputs(boxes: 0, classes: 1, scores: 2, count: 3)

  /// Returns the four outputs of an operator that detected `rows` and has room for `capacity`.
  static func tensors(_ rows: [Row], capacity: Int = 4, stale: Float = 0) throws -> [GoldenTensor] {
    let padding = Row(box: [stale, stale, stale, stale], category: stale, score: stale)
    let all = rows + [Row](repeating: padding, count: capacity - rows.count)
    return [
      try Tensors.floats(all.flatMap(\.box), shape: [1, capacity, 4]),
      try Tensors.floats(all.map(\.category), shape: [1, capacity]),
      try Tensors.floats(all.map(\.score), shape: [1, capacity]), try Tensors.floats([Float(rows.count)]),
    ]
  }

  static func compare(
    _ actual: [GoldenTensor], _ reference: [GoldenTensor], numerics: Comparison.Numerics = .fast,
    arithmetic: Comparison.Arithmetic = .float, differences: [Double] = [0, 0, 0, 0]
  ) -> CaseReport {
    let expected = zip(reference, differences).map { ExpectedOutput($0, xnnpackDifference: $1) }
    return Comparison(numerics: numerics, arithmetic: arithmetic).compareCase(
      model: "m", name: "c", actual: actual, expected: expected, detection: outputs)
  }

  @Test("accepts rows in another order if their scores are nearly equal")
  func acceptsSwappedRows() throws {
    var swapped = Self.rows
    swapped.swapAt(1, 2)
    let report = Self.compare(try Self.tensors(swapped), try Self.tensors(Self.rows))
    #expect(report.isPassed)
    #expect(report.outputs.allSatisfy { $0.maxAbsError == 0 })
  }

  @Test("boxes match if at least half of their union is common", arguments: [0.5, 0.49])
  func matchingOverlap(share: Float) throws {
    let whole = [Row(box: [0, 0, 1, 1], category: 3, score: 0.9)]
    let part = [Row(box: [0, 0, 1, share], category: 3, score: 0.9)]
    let report = Self.compare(try Self.tensors(part), try Self.tensors(whole))
    // The error of a box that matches is that of its corner. One box without a match is tolerated.
    #expect(report.outputs[0].maxAbsError == (share == 0.5 ? 0.5 : 0))
    #expect(report.isPassed == (share < 0.5))
  }

  @Test("rejects a moved box, another score, and another class", arguments: 0..<3)
  func refusesChangedRows(kind: Int) throws {
    var changed = Self.rows
    switch kind {
    case 0: changed[1].box[2] += 0.01
    case 1: changed[1].score -= 0.01
    default: changed[1].category = 4
    }
    let report = Self.compare(try Self.tensors(changed), try Self.tensors(Self.rows))
    #expect(!report.isPassed)
    #expect(report.outputs[kind == 0 ? 0 : kind == 1 ? 2 : 1].isWithinTolerance == false)
  }

  @Test("rejects a missing or an additional row, unless it is at the end of the list")
  func refusesMissingRows() throws {
    let fewer = [Self.rows[0], Self.rows[2], Self.rows[3]]
    let missing = Self.compare(try Self.tensors(fewer), try Self.tensors(Self.rows))
    #expect(missing.outputs[0].failure?.contains("missing") == true)
    let surplus = Self.compare(try Self.tensors(Self.rows), try Self.tensors(fewer))
    #expect(surplus.outputs[0].failure?.contains("not expected") == true)
    #expect(!surplus.outputs[3].isWithinTolerance)
  }

  @Test("accepts another last row if scores nearly tie")
  func acceptsTiesAtTheEnd() throws {
    var changed = Self.rows
    changed[3] = Row(box: [0.7, 0.1, 0.9, 0.3], category: 5, score: 0.4002)
    #expect(Self.compare(try Self.tensors(changed), try Self.tensors(Self.rows)).isPassed)
    changed[3].score = 0.42
    #expect(!Self.compare(try Self.tensors(changed), try Self.tensors(Self.rows)).isPassed)
  }

  @Test("ignores rows beyond the count")
  func ignoresStaleRows() throws {
    let some = Array(Self.rows.prefix(2))
    let report = Self.compare(try Self.tensors(some, stale: .nan), try Self.tensors(some, stale: 123))
    #expect(report.isPassed)
  }

  @Test("distinguishes equal boxes by their scores")
  func pairsEqualBoxes() throws {
    let box: [Float] = [0.1, 0.1, 0.5, 0.5]
    let rows = [Float(0.9), 0.7, 0.5, 0.3].map { Row(box: box, category: 2, score: $0) }
    #expect(Self.compare(try Self.tensors(Array(rows.reversed())), try Self.tensors(rows)).isPassed)
  }

  @Test(
    "rows match if half of both boxes overlap, for any shape",
    arguments: [(0, 0.05, true), (1, 0.05, true), (0, 0.09, false), (1, 0.35, false)])
  func overlaps(side: Int, shift: Float, isSame: Bool) throws {
    // Three times as wide as high: ymin, xmin, ymax, xmax.
    let row = Row(box: [0.3, 0.1, 0.5, 0.7], category: 1, score: 0.9)
    var moved = row
    moved.box[side] += shift
    moved.box[side + 2] += shift
    let rows = [row, Row(box: [0, 0, 0.1, 0.1], category: 2, score: 0.1)]
    let report = Self.compare(try Self.tensors([moved, rows[1]]), try Self.tensors(rows))
    #expect((report.outputs[0].failure == nil) == isSame, "\(report.summary)")
    #expect(!report.isPassed)
  }

  @Test("does not accept distant boxes because rows are swapped")
  func capsBoxTolerance() throws {
    // Matched by position, a swap makes XNNPACK's boxes differ by nearly the entire image.
    var moved = Self.rows
    moved[0].box = [0.1, 0.1, 0.4, 0.66]
    let report = Self.compare(
      try Self.tensors(moved), try Self.tensors(Self.rows), arithmetic: .integer, differences: [0.97, 30, 0.01, 0])
    #expect(!report.isPassed)
    moved[0].box = [0.1, 0.1, 0.4, 0.45]
    let near = Self.compare(
      try Self.tensors(moved), try Self.tensors(Self.rows), arithmetic: .integer, differences: [0.97, 30, 0.01, 0])
    #expect(near.isPassed)
    #expect(
      !Self.compare(
        try Self.tensors(moved), try Self.tensors(Self.rows), numerics: .bitExact, arithmetic: .integer,
        differences: [0.97, 30, 0.01, 0]
      ).isPassed)
  }

  @Test("lets near ties exchange scores in fast mode of integer models only")
  func acceptsExchangedScores() throws {
    var changed = Self.rows
    (changed[1].score, changed[2].score) = (changed[2].score - 0.02, changed[1].score)
    for (numerics, isAccepted) in [(Comparison.Numerics.fast, true), (.bitExact, false)] {
      let report = Self.compare(
        try Self.tensors(changed), try Self.tensors(Self.rows), numerics: numerics, arithmetic: .integer,
        differences: [0, 0, 0.0101, 0])
      #expect(report.isPassed == isAccepted)
    }
  }

  @Test("survives counts and values that are not numbers")
  func survivesNonsense() throws {
    var broken = Self.rows
    broken[0].box = [.nan, .infinity, -.infinity, 1]
    broken[1].category = .nan
    broken[2].score = .nan
    for count: Float in [.nan, .infinity, -5, 1e30] {
      var actual = try Self.tensors(broken)
      actual[3] = try Tensors.floats([count])
      #expect(!Self.compare(actual, try Self.tensors(Self.rows)).isPassed)
      #expect(!Self.compare(try Self.tensors(Self.rows), actual).isPassed)
    }
  }

  @Test("compares by position if the tensors don't come from a detection operator")
  func fallsBack() throws {
    var actual = try Self.tensors(Self.rows)
    actual[0] = try Tensors.floats(Self.rows.flatMap(\.box), shape: [4, 4])
    let report = Self.compare(actual, try Self.tensors(Self.rows))
    #expect(report.outputs[0].failure?.contains("shape") == true)
  }

  @Test("recognizes the four outputs in any order")
  func recognizesOutputs() throws {
    let tensors = try Self.tensors(Self.rows)
    let expected = [tensors[2], tensors[0], tensors[3], tensors[1]].map { ExpectedOutput($0) }
    #expect(DetectionOutputs(recognizing: expected) == DetectionOutputs(boxes: 1, classes: 3, scores: 0, count: 2))
    #expect(DetectionOutputs(recognizing: Array(expected.dropLast())) == nil)
    let ambiguous = [tensors[2], tensors[0], tensors[3], tensors[2]].map { ExpectedOutput($0) }
    #expect(DetectionOutputs(recognizing: ambiguous) == nil)
  }
}
