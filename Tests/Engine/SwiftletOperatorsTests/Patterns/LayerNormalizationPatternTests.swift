import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// The parts of a layer normalization that converters write in different ways.
private struct Normalization: Sendable, CustomTestStringConvertible {
  enum Form: CaseIterable {
    /// `(x - mean) · RSQRT(…) · γ + β`, with the factors grouped from the left or from the right, or divided by SQRT.
    case product, groupedFactors, quotient, quotientOfOne
    /// `x · (RSQRT(…) · γ) + (β - mean · (RSQRT(…) · γ))`
    case shifted
    /// The same with the negative of the mean, as in MediaPipe's blendshape model, which has no β.
    case negatedMean
  }

  enum Squares: CaseIterable { case squaredDifference, square, product, power }

  var form = Form.product
  var squares = Squares.squaredDifference
  var hasFactors = true
  var hasTerms = true
  var subtractsMean = true
  var isSwapped = false
  var axes: [Int32] = [-1]
  var keepsDimensions = true
  var epsilon: Float = 1e-3
  var epsilonIsVector = false
  var activation = FusedActivation.none
  var factorShape: [Int]?
  /// A factor of the variance other than 1.
  var scale: Float?
  var readsOtherMean = false

  var testDescription: String {
    "\(form) \(squares)\(hasFactors ? " γ" : "")\(hasTerms ? " β" : "")\(subtractsMean ? "" : " RMS")\(isSwapped ? " swapped" : "")"
  }

  private func mean(_ probe: inout PatternProbe, _ value: Int) -> Int {
    let axes = probe.graph.constant(axes)
    var shape = probe.shape
    for axis in self.axes { shape[axis < 0 ? shape.count + Int(axis) : Int(axis)] = 1 }
    if !keepsDimensions { shape.removeLast() }
    return probe.add(
      .mean, [value, axes], ReducerOptions.with { [$0.keepDimensions(keepsDimensions)] }, shape: shape)
  }

  private func ordered(_ left: Int, _ right: Int) -> [Int] { isSwapped ? [right, left] : [left, right] }

  /// Adds the nodes. Returns the result.
  func add(_ probe: inout PatternProbe) -> Int {
    let averaged = readsOtherMean ? probe.add(.exp, [probe.x]) : probe.x
    let mean = subtractsMean ? self.mean(&probe, averaged) : nil
    let centered = mean.map { probe.add(.sub, [probe.x, $0]) } ?? probe.x
    let squared: Int
    switch (squares, mean) {
    case (.squaredDifference, let mean?): squared = probe.add(.squaredDifference, ordered(probe.x, mean))
    case (.product, _): squared = probe.add(.mul, [centered, centered])
    case (.power, _):
      let two = probe.number(2)
      squared = probe.add(.pow, [centered, two])
    default: squared = probe.add(.square, [centered])
    }
    probe.squares = squared
    var variance = self.mean(&probe, squared)
    let rowShape = [Int](probe.shape.dropLast()) + [1]
    if let scale {
      let factor = probe.number(scale)
      variance = probe.add(.mul, [variance, factor], shape: rowShape)
    }
    let epsilon = probe.number(self.epsilon, shape: epsilonIsVector ? [1] : [])
    let sum = probe.add(.add, ordered(variance, epsilon), shape: rowShape)
    let factors = hasFactors ? probe.vector(factorShape, within: 0.5...1.5) : nil
    let terms = hasTerms ? probe.vector() : nil
    func times(_ left: Int, _ right: Int?, _ probe: inout PatternProbe, shape: [Int]? = nil) -> Int {
      guard let right else { return left }
      return probe.add(.mul, ordered(left, right), shape: shape)
    }
    let options = AddOptions.with { [$0.fusedActivation(activation)] }
    let product: Int
    switch form {
    case .product:
      let root = probe.add(.rsqrt, [sum], shape: rowShape)
      product = times(times(centered, root, &probe), factors, &probe)
    case .quotient:
      let root = probe.add(.sqrt, [sum], shape: rowShape)
      product = times(probe.add(.div, [centered, root]), factors, &probe)
    case .quotientOfOne:
      let root = probe.add(.sqrt, [sum], shape: rowShape), one = probe.number(1)
      let inverse = probe.add(.div, [one, root], shape: rowShape)
      product = times(centered, times(inverse, factors, &probe, shape: factors == nil ? rowShape : nil), &probe)
    case .groupedFactors:
      let root = probe.add(.rsqrt, [sum], shape: rowShape)
      product = times(centered, times(root, factors, &probe, shape: factors == nil ? rowShape : nil), &probe)
    case .shifted, .negatedMean:
      let root = probe.add(.rsqrt, [sum], shape: rowShape)
      let factor = times(root, factors, &probe, shape: factors == nil ? rowShape : nil)
      let left = times(probe.x, factor, &probe)
      var average = mean ?? probe.x
      if form == .negatedMean { average = probe.add(.neg, [average], shape: rowShape) }
      let shift = times(average, factor, &probe, shape: factors == nil ? rowShape : nil)
      if form == .negatedMean {
        let right = terms.map { probe.add(.add, [$0, shift]) } ?? shift
        return probe.add(.add, ordered(left, right), options)
      }
      guard let terms else { return probe.add(.sub, [left, shift], options) }
      let right = probe.add(.sub, [terms, shift])
      return probe.add(.add, ordered(left, right), options)
    }
    return terms.map { probe.add(.add, ordered(product, $0), options) } ?? product
  }

  static func with(_ change: (inout Normalization) -> Void) -> Normalization {
    var normalization = Normalization()
    change(&normalization)
    return normalization
  }

  /// All combinations of parts.
  static let spellings: [Normalization] = {
    var spellings: [Normalization] = []
    for form in Form.allCases {
      for squares in Squares.allCases {
        for place in 0..<8 {
          for subtractsMean in [true, false]
          where subtractsMean
            || (form != .shifted && form != .negatedMean && squares != .squaredDifference)
          {
            spellings.append(
              Normalization(
                form: form, squares: squares, hasFactors: place & 1 == 0, hasTerms: place & 2 == 0,
                subtractsMean: subtractsMean, isSwapped: place & 4 == 0))
          }
        }
      }
    }
    return spellings
  }()
}

@Suite("Layer normalization as several operators")
struct LayerNormalizationPatternTests {
  private static let unusual: [Float] = [1, 2, .nan, 3, 0, 5, 1, -2, 4, .infinity, -1, 2, 0, 0, -.infinity, 1]

  private func expect(_ normalization: Normalization, _ shape: [Int]) throws {
    var probe = PatternProbe(shape)
    let result = normalization.add(&probe)
    // In the shifted form, a product with the mean cancels most of the result.
    try probe.expect(["LayerNormalization"], result, error: 1e-4, unusual: Self.unusual)
  }

  @Test("each spelling", arguments: Normalization.spellings)
  fileprivate func spelling(_ normalization: Normalization) throws {
    for shape in [[3], [5, 1], [2, 3], [2, 3, 17]] { try expect(normalization, shape) }
  }

  @Test("each bit of the usual arrangements")
  func bits() throws {
    for normalization in Normalization.spellings {
      for shape in [[3, 1], [40, 17], [2, 3, 96], [2, 3000]] {
        var probe = PatternProbe(shape)
        let result = normalization.add(&probe)
        var apart = RuntimeOptions()
        // With all results as outputs, nothing is replaced, but squares are still summed by one kernel.
        apart.runsPasses = normalization.squares == .product
        let exposed = normalization.squares == .product ? probe.results.filter { $0 != probe.squares } : []
        let expected = try probe.run(result, nil, exposing: exposed, apart)
        #expect(!expected.names.contains("LayerNormalization"))
        #expect(try probe.run(result).values == expected.values)
      }
    }
  }

  @Test("rows of many lengths, in several tiles", arguments: [[700, 16], [3, 5000], [1, 33, 47, 64], [0, 5]])
  func sizes(shape: [Int]) throws {
    let results = try [true, false].map { runsPasses in
      var probe = PatternProbe(shape)
      let result = Normalization().add(&probe)
      var options = RuntimeOptions(threads: runsPasses ? 3 : 1)
      options.runsPasses = runsPasses
      return try probe.run(result, nil, options)
    }
    if !shape.contains(0) { #expect(results[0].names == ["LayerNormalization"]) }
    #expect(results[0].values.count == results[1].values.count)
    #expect(zip(results[0].values, results[1].values).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test("the clamp of the last addition, or after it")
  func activation() throws {
    for form in [Normalization.Form.product, .shifted, .negatedMean] {
      for hasTerms in [true, false] where hasTerms || form != .product {
        try expect(
          .with {
            $0.form = form
            $0.hasTerms = hasTerms
            $0.activation = .relu
          }, [2, 3, 5])
      }
    }
    var probe = PatternProbe([4, 17])
    let normalized = Normalization().add(&probe)
    let result = probe.add(.relu6, [normalized])
    try probe.expect(["LayerNormalization"], result, error: 1e-4, unusual: Self.unusual)
  }

  @Test("an axis that is counted from the front, an epsilon of one element, and a γ with leading ones")
  func axis() throws {
    try expect(
      .with {
        $0.axes = [2]
        $0.epsilonIsVector = true
        $0.factorShape = [1, 1, 7]
      }, [2, 3, 7])
  }

  fileprivate static let misses: [(name: String, normalization: Normalization)] = [
    ("another axis", .with { $0.axes = [1] }),
    ("two axes", .with { $0.axes = [1, 2] }),
    ("a variance that is scaled", .with { $0.scale = 1.5 }),
    ("the mean of another value", .with { $0.readsOtherMean = true }),
    (
      "γ of one element",
      .with { $0.factorShape = [1] }
    ),
    ("γ of another axis", .with { $0.factorShape = [5, 1] }),
    ("γ for each element", .with { $0.factorShape = [5, 5] }),
    (
      "γ of another axis in the shifted form",
      .with {
        $0.form = .shifted
        $0.factorShape = [5, 1]
      }
    ),
  ]

  @Test("nothing is replaced for", arguments: misses.map(\.name))
  func nearMiss(name: String) throws {
    guard let miss = Self.misses.first(where: { $0.name == name }) else { return }
    var probe = PatternProbe([2, 5, 5])
    let result = miss.normalization.add(&probe)
    // Parts of the subgraph that normalize a value may be replaced.
    if !name.hasPrefix("γ") { try probe.expectNone(of: ["LayerNormalization"], result) }
    try probe.expectSame(result)
  }

  /// Adds the arrangement of litert-torch: reductions drop the axis, and values with an element per row are reshaped.
  private func reshaped(
    _ probe: inout PatternProbe, term: Float = 0, to shapes: [[Int]]? = nil, expands: Bool = false
  ) -> Int {
    let last = Int32(probe.shape.count - 1), column = probe.shape.dropLast() + [1]
    // litert-torch also reduces the batch.
    let reducesBatch = last > 0 && probe.shape[0] == 1 && !expands
    let dropped = [Int](probe.shape.dropLast().dropFirst(reducesBatch ? 1 : 0))
    let shapes = shapes ?? [[Int]](repeating: [Int](column), count: 3)
    let axes = probe.graph.constant(reducesBatch ? [0, last] : [last]),
      drops = ReducerOptions.with { [$0.keepDimensions(false)] }
    func reshape(_ value: Int, _ place: Int, _ probe: inout PatternProbe) -> Int {
      if expands {
        let axis = probe.graph.constant([Int32(-1)])
        return probe.add(.expandDims, [value, axis], shape: shapes[place])
      }
      let shape = probe.graph.constant(shapes[place].map { Int32($0) })
      return probe.add(.reshape, [value, shape], shape: shapes[place])
    }
    let mean = probe.add(.mean, [probe.x, axes], drops, shape: dropped)
    let wide = reshape(mean, 0, &probe)
    let squares = probe.add(.squaredDifference, [probe.x, wide])
    let variance = probe.add(.mean, [squares, axes], drops, shape: dropped)
    let epsilon = probe.number(1e-3), zero = probe.number(term)
    let sum = probe.add(.add, [variance, epsilon], shape: dropped)
    let root = probe.add(.rsqrt, [sum], shape: dropped)
    let shift = probe.add(.mul, [root, mean], shape: dropped)
    let negative = probe.add(.sub, [zero, shift], shape: dropped)
    let scaled = probe.add(.mul, [probe.x, reshape(root, 1, &probe)])
    return probe.add(.add, [scaled, reshape(negative, 2, &probe)])
  }

  @Test(
    "values per row that are reshaped", arguments: [[3, 5], [4, 1], [1, 6, 5], [2, 3, 17], [5, 5]], [false, true])
  func reshaping(shape: [Int], expands: Bool) throws {
    var probe = PatternProbe(shape)
    let result = reshaped(&probe, expands: expands)
    try probe.expect(["LayerNormalization"], result, error: 1e-4, unusual: Self.unusual)
    var apart = RuntimeOptions()
    apart.runsPasses = false
    #expect(try probe.run(result).values == probe.run(result, nil, apart).values)
  }

  @Test("nothing is replaced for values per row in another shape or with another term")
  func otherReshaping() throws {
    for place in 0..<3 {
      var probe = PatternProbe([5, 5])
      var shapes = [[5, 1], [5, 1], [5, 1]]
      shapes[place] = [1, 5]
      let result = reshaped(&probe, to: shapes)
      try probe.expectNone(of: ["LayerNormalization"], result)
      try probe.expectSame(result)
    }
    var probe = PatternProbe([5, 5])
    let result = reshaped(&probe, term: 1)
    try probe.expectNone(of: ["LayerNormalization"], result)
    try probe.expectSame(result)
  }

  @Test("means as sums and divisions", arguments: [5, 4] as [Float], [false, true])
  func sums(count: Float, divides: Bool) throws {
    var probe = PatternProbe([4, 5])
    let axes = probe.graph.constant([Int32(1)]), square = probe.add(.mul, [probe.x, probe.x])
    let sum = probe.add(.sum, [square, axes], ReducerOptions.with { [$0.keepDimensions(true)] }, shape: [4, 1])
    let divisor = probe.number(divides ? count : 1 / count), epsilon = probe.number(1e-3)
    let mean = probe.add(divides ? .div : .mul, [sum, divisor], shape: [4, 1])
    let shifted = probe.add(.add, [mean, epsilon], shape: [4, 1])
    let root = probe.add(.rsqrt, [shifted], shape: [4, 1])
    let result = probe.add(.mul, [probe.x, root])
    if count == 5 {
      try probe.expect(["LayerNormalization"], result, error: 1e-5, unusual: Self.unusual)
    } else {
      try probe.expectNone(of: ["LayerNormalization"], result)
      try probe.expectSame(result)
    }
  }

  @Test("a mean without the reduced axis is no normalization of rows")
  func dropsAxis() throws {
    // With as many rows as columns, the mean broadcasts over the other axis.
    var probe = PatternProbe([5, 5])
    let axes = probe.graph.constant([Int32(1)])
    let square = probe.add(.square, [probe.x])
    let mean = probe.add(.mean, [square, axes], ReducerOptions.with { [$0.keepDimensions(false)] }, shape: [5])
    let epsilon = probe.number(1e-3)
    let sum = probe.add(.add, [mean, epsilon], shape: [5])
    let root = probe.add(.rsqrt, [sum], shape: [5])
    let result = probe.add(.mul, [probe.x, root])
    try probe.expectNone(of: ["LayerNormalization"], result)
    try probe.expectSame(result)
  }

  @Test("nothing is replaced if a value in between has another reader", arguments: Normalization.Form.allCases)
  fileprivate func readers(form: Normalization.Form) throws {
    var probe = PatternProbe([2, 3, 5])
    let result = Normalization.with {
      $0.form = form
      $0.hasTerms = false
      $0.hasFactors = false
      $0.squares = .square
    }.add(&probe)
    // The root of a division is used once, and so is the difference.
    try probe.expectNoneIfRead(of: ["LayerNormalization"], result)
  }

  @Test("vectors that are computed stay operands of their own nodes")
  func computedVectors() throws {
    var probe = PatternProbe([3, 5])
    let factors = probe.graph.input(.float32, [5])
    let normalized = Normalization.with {
      $0.hasFactors = false
      $0.hasTerms = false
    }.add(&probe)
    let result = probe.add(.mul, [normalized, factors])
    try probe.expectSame(result)
  }

  @Test("vectors of another length are refused, and the operator isn't read from files")
  func refusals() throws {
    var probe = PatternProbe([3, 5])
    let result = Normalization().add(&probe)
    #expect(try probe.run(result).names == ["LayerNormalization"])
    let operation = LayerNormalizationOperator(epsilon: 0, subtractsMean: true, hasFactors: false, hasTerms: false)
    #expect(operation.fusing(.relu)?.fusing(.relu6) == nil)
  }
}
