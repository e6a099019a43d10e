import SwiftletGolden
import SwiftletSchema
import Testing

@Suite("Comparison with the reference")
struct ComparisonTests {
  static let modes: [(Comparison.Numerics, Comparison.Arithmetic)] = [
    (.fast, .float), (.bitExact, .float), (.fast, .integer), (.bitExact, .integer),
  ]

  @Test("accepts floats within 5e-4 of the largest magnitude, and no more", arguments: modes)
  func limitsFloats(numerics: Comparison.Numerics, arithmetic: Comparison.Arithmetic) throws {
    let comparison = Comparison(numerics: numerics, arithmetic: arithmetic)
    let expected = ExpectedOutput(try Tensors.floats([-8, 1, 0]))
    let near = comparison.compare(try Tensors.floats([-8, 1.0039, 0]), with: expected)
    #expect(near.isWithinTolerance)
    #expect(near.tolerance == 5e-4 * 8)
    #expect(abs((near.maxAbsError ?? 0) - 0.0039) < 1e-6)
    #expect(near.maxStepError == nil && near.mismatchShare == nil)
    #expect(!comparison.compare(try Tensors.floats([-8, 1.0041, 0]), with: expected).isWithinTolerance)
  }

  @Test("accepts a step of half precision only if floats may differ")
  func allowsHalfSteps() throws {
    func halves(_ bits: UInt16...) throws -> GoldenTensor {
      try GoldenTensor(elementType: .float16, shape: [bits.count], bytes: bits.flatMap { Tensors.bytes($0) })
    }
    let expected = ExpectedOutput(try halves(0x3C00, 0xC000))
    for (tolerance, steps, isWithin) in [(1e-6, UInt16(1), true), (1e-6, 3, false), (0, 1, false), (0, 0, true)] {
      let comparison = Comparison(numerics: .fast, arithmetic: .float, relativeTolerance: tolerance)
      #expect(comparison.compare(try halves(0x3C00 + steps, 0xC000), with: expected).isWithinTolerance == isWithin)
    }
  }

  @Test("uses the largest magnitude of a sampled output from the manifest")
  func usesManifestRange() throws {
    var description = ExpectedOutput(try Tensors.floats([1, 2])).description
    (description.min, description.max, description.shape) = (-100, 3, [3])
    let expected = ExpectedOutput(
      description: description, shape: [3], sampleStride: 2, samples: try Tensors.floats([1, 2]))
    let comparison = Comparison(numerics: .fast, arithmetic: .float)
    #expect(comparison.compare(try Tensors.floats([1, 77, 2.04]), with: expected).isWithinTolerance)
    #expect(!comparison.compare(try Tensors.floats([1, 77, 2.06]), with: expected).isWithinTolerance)
  }

  @Test("treats equal special values as equal, and different ones as infinitely far apart")
  func comparesSpecialValues() throws {
    let comparison = Comparison(numerics: .fast, arithmetic: .float)
    let expected = ExpectedOutput(try Tensors.floats([.nan, .infinity, -.infinity, 1]))
    #expect(comparison.compare(try Tensors.floats([.nan, .infinity, -.infinity, 1]), with: expected).isWithinTolerance)
    for wrong: [Float] in [
      [0, .infinity, -.infinity, 1], [.nan, 1e30, -.infinity, 1], [.nan, .infinity, .infinity, 1],
      [.nan, .infinity, -.infinity, .nan],
    ] {
      let report = comparison.compare(try Tensors.floats(wrong), with: expected)
      #expect(!report.isWithinTolerance)
      #expect(report.maxAbsError == .infinity)
    }
  }

  @Test("requires quantized outputs to be equal in bit-exact mode, and within two steps in fast mode")
  func limitsSteps() throws {
    let expected = ExpectedOutput(try Tensors.int8s([5, -3, 0, 127]), scale: 0.1)
    let twoOff = try Tensors.int8s([7, -3, 0, 127])
    let threeOff = try Tensors.int8s([5, -6, 1, 127])
    let fast = Comparison(numerics: .fast, arithmetic: .integer)
    let report = fast.compare(twoOff, with: expected)
    #expect(report.isWithinTolerance && report.maxStepError == 2 && report.mismatchShare == 0.25)
    #expect(!fast.compare(threeOff, with: expected).isWithinTolerance)
    let exact = Comparison(numerics: .bitExact, arithmetic: .integer)
    #expect(!exact.compare(twoOff, with: expected).isWithinTolerance)
    #expect(exact.compare(try Tensors.int8s([5, -3, 0, 127]), with: expected).isWithinTolerance)
  }

  @Test("accepts twice the XNNPACK difference, in fast mode of integer models only")
  func usesXNNPACKDifference() throws {
    let quantized = ExpectedOutput(try Tensors.int8s([0, 50]), scale: 0.1, xnnpackDifference: 4, xnnpackMismatches: 1)
    let eightOff = try Tensors.int8s([8, 50])
    let floats = ExpectedOutput(try Tensors.floats([0, 1]), xnnpackDifference: 0.1)
    let off = try Tensors.floats([0.19, 1])
    for (numerics, arithmetic) in Self.modes {
      let comparison = Comparison(numerics: numerics, arithmetic: arithmetic)
      let isAccepted = numerics == .fast && arithmetic == .integer
      #expect(comparison.compare(eightOff, with: quantized).isWithinTolerance == isAccepted)
      #expect(comparison.compare(off, with: floats).isWithinTolerance == isAccepted)
    }
    let fast = Comparison(numerics: .fast, arithmetic: .integer)
    #expect(!fast.compare(try Tensors.int8s([9, 50]), with: quantized).isWithinTolerance)
    #expect(!fast.compare(try Tensors.floats([0.21, 1]), with: floats).isWithinTolerance)
  }

  @Test("accepts two steps of the integers that a float output came from")
  func usesQuantizationStep() throws {
    let expected = ExpectedOutput(try Tensors.floats([0, 1]))
    let actual = try Tensors.floats([0.15, 1])
    let fast = Comparison(numerics: .fast, arithmetic: .integer)
    #expect(fast.compare(actual, with: expected, quantizationStep: 0.08).isWithinTolerance)
    #expect(!fast.compare(actual, with: expected, quantizationStep: 0.07).isWithinTolerance)
    let exact = Comparison(numerics: .bitExact, arithmetic: .integer)
    #expect(!exact.compare(actual, with: expected, quantizationStep: 0.08).isWithinTolerance)
  }

  @Test("limits the number of different class indices, not the differences")
  func limitsClassNumbers() throws {
    let reference = try Tensors.int64s([0, 15, 3, 4, 5, 6, 7, 8])
    let expected = ExpectedOutput(reference, xnnpackDifference: 15, xnnpackMismatches: 1)
    let fast = Comparison(numerics: .fast, arithmetic: .integer)
    #expect(fast.compare(try Tensors.int64s([9, 0, 3, 4, 5, 6, 7, 8]), with: expected).isWithinTolerance)
    #expect(!fast.compare(try Tensors.int64s([9, 0, 4, 4, 5, 6, 7, 8]), with: expected).isWithinTolerance)
    let float = Comparison(numerics: .fast, arithmetic: .float)
    #expect(!float.compare(try Tensors.int64s([0, 15, 3, 4, 5, 6, 7, 9]), with: expected).isWithinTolerance)
  }

  @Test("measures distances that exceed signed numbers")
  func comparesExtremes() throws {
    let expected = ExpectedOutput(try Tensors.int64s([Int64.min]))
    let report = Comparison(numerics: .fast, arithmetic: .integer).compare(
      try Tensors.int64s([Int64.max]), with: expected)
    #expect(!report.isWithinTolerance)
    #expect(report.maxAbsError == Double(UInt64.max))
  }

  @Test("requires equal booleans and strings")
  func comparesBooleansAndStrings() throws {
    let comparison = Comparison(numerics: .fast, arithmetic: .integer)
    func booleans(_ bytes: [UInt8]) throws -> GoldenTensor {
      try GoldenTensor(elementType: .bool, shape: [bytes.count], bytes: bytes)
    }
    let expected = ExpectedOutput(try booleans([0, 1]))
    #expect(comparison.compare(try booleans([0, 1]), with: expected).isWithinTolerance)
    #expect(!comparison.compare(try booleans([1, 1]), with: expected).isWithinTolerance)
    let words = ExpectedOutput(try Tensors.strings(["one", "two"]))
    #expect(comparison.compare(try Tensors.strings(["one", "two"]), with: words).isWithinTolerance)
    let report = comparison.compare(try Tensors.strings(["one", "three"]), with: words)
    #expect(!report.isWithinTolerance && report.mismatchShare == 0.5)
  }

  @Test("reports a different shape, type, or number of outputs as a failure")
  func reportsMismatchedOutputs() throws {
    let comparison = Comparison(numerics: .fast, arithmetic: .float)
    let expected = ExpectedOutput(try Tensors.floats([1, 2]))
    let reshaped = comparison.compare(try Tensors.floats([1, 2], shape: [2, 1]), with: expected)
    #expect(!reshaped.isWithinTolerance && reshaped.failure?.contains("[2, 1]") == true)
    #expect(comparison.compare(try Tensors.int8s([1, 2]), with: expected).failure?.contains("int8") == true)
    let item = comparison.compareCase(model: "m", name: "c", actual: [], expected: [expected])
    #expect(!item.isPassed && item.failure != nil)
  }

  @Test("treats empty outputs as equal")
  func comparesEmptyOutputs() throws {
    let expected = ExpectedOutput(try Tensors.floats([], shape: [2, 0]))
    let report = Comparison(numerics: .bitExact, arithmetic: .float).compare(
      try Tensors.floats([], shape: [2, 0]), with: expected)
    #expect(report.isWithinTolerance && report.maxAbsError == 0)
  }

  @Test("stays within samples that are inconsistent with the shape")
  func refusesMisfittingSamples() throws {
    let whole = ExpectedOutput(try Tensors.floats([1, 2, 3]))
    let expected = ExpectedOutput(
      description: whole.description, shape: [4], sampleStride: 2, samples: try Tensors.floats([1, 2, 3]))
    let report = Comparison(numerics: .fast, arithmetic: .float).compare(
      try Tensors.floats([1, 2, 3, 4]), with: expected)
    #expect(report.failure != nil)
  }
}
