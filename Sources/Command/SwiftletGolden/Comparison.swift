internal import SwiftletSchema

/// The reference values of one output, and how they were stored.
package struct ExpectedOutput: Sendable {
  package let description: GoldenOutput
  /// The shape of the entire output, even if only samples of it are stored.
  package let shape: [Int]
  /// The distance between stored elements: `samples` contains elements `0, k, 2k, …` of the flattened output. 1 if all
  /// are stored.
  package let sampleStride: Int
  package let samples: GoldenTensor

  package init(description: GoldenOutput, shape: [Int], sampleStride: Int, samples: GoldenTensor) {
    self.description = description
    self.shape = shape
    self.sampleStride = sampleStride
    self.samples = samples
  }

  /// The largest magnitude of the entire output. The manifest records it even if only samples are stored.
  package var largestMagnitude: Double {
    if let low = description.min, let high = description.max { return Swift.max(abs(low), abs(high)) }
    return samples.floatingPointValues?.lazy.filter(\.isFinite).map(abs).max() ?? 0
  }

  var isQuantized: Bool { description.quantization.map { !$0.scales.isEmpty } ?? false }
}

/// Compares outputs with the reference, with the tolerances of the `verify` command.
///
/// - Float outputs of float models: within `relativeTolerance` of the output's largest magnitude.
/// - Integer models, bit-exact: integers equal, floats as above.
/// - Integer models, fast: also within twice the manifest's own XNNPACK-to-reference difference, or within
///   `acceptedSteps` quantization steps.
/// - Booleans, strings, and the integers of float models: equal.
package struct Comparison: Sendable {
  /// The numeric mode that produced the outputs.
  package enum Numerics: String, Sendable { case fast, bitExact = "bit-exact" }
  /// The arithmetic of the model: integer if any operator computes with integers, as in quantized and hybrid models.
  package enum Arithmetic: String, Sendable { case float, integer }

  package var numerics: Numerics
  package var arithmetic: Arithmetic
  /// The accepted error of floats, relative to the output's largest magnitude.
  package var relativeTolerance: Double
  /// The tolerance for complete models, in which the errors of operators add up.
  package static let defaultRelativeTolerance = 5e-4
  /// The accepted error of quantized outputs in fast mode, in quantization steps.
  package var acceptedSteps: Int

  package init(
    numerics: Numerics, arithmetic: Arithmetic, relativeTolerance: Double = defaultRelativeTolerance,
    acceptedSteps: Int = 2
  ) {
    self.numerics = numerics
    self.arithmetic = arithmetic
    self.relativeTolerance = relativeTolerance
    self.acceptedSteps = acceptedSteps
  }

  var allowsSteps: Bool { numerics == .fast && arithmetic == .integer }

  /// Compares all outputs of a case.
  ///
  /// - Parameters:
  ///   - actual: The outputs in model order.
  ///   - expected: The reference outputs in the same order.
  ///   - detection: The outputs that contain the rows of a detection operator; rows are matched by overlap.
  ///   - quantizationSteps: By output index, the quantization step of a float output that was dequantized.
  package func compareCase(
    model: String, name: String, actual: [GoldenTensor], expected: [ExpectedOutput],
    detection: DetectionOutputs? = nil, quantizationSteps: [Int: Double] = [:]
  ) -> CaseReport {
    guard actual.count == expected.count else {
      return CaseReport(
        model: model, name: name, failure: "the model gave \(actual.count) outputs, expected \(expected.count)")
    }
    var outputs = zip(actual, expected).enumerated().map { index, pair in
      compare(pair.0, with: pair.1, quantizationStep: quantizationSteps[index])
    }
    if let detection, let rows = compareDetections(actual, with: expected, outputs: detection) {
      for (index, report) in rows { outputs[index] = report }
    }
    return CaseReport(model: model, name: name, outputs: outputs)
  }

  /// Compares one output element by element.
  ///
  /// - Parameter quantizationStep: The quantization step of a float output that was dequantized, if known.
  package func compare(
    _ actual: GoldenTensor, with expected: ExpectedOutput, quantizationStep: Double? = nil
  ) -> OutputReport {
    let name = expected.description.name
    guard actual.elementType == expected.samples.elementType else {
      return OutputReport(
        name: name, failure: "type \(actual.elementType.name), expected \(expected.samples.elementType.name)")
    }
    guard actual.shape == expected.shape else {
      return OutputReport(name: name, failure: "shape \(actual.shape), expected \(expected.shape)")
    }
    let total = actual.elementCount
    let stored = total == 0 ? 0 : (total - 1) / max(expected.sampleStride, 1) + 1
    guard expected.sampleStride >= 1, expected.samples.elementCount == stored else {
      return OutputReport(name: name, failure: "the stored samples do not fit shape \(expected.shape)")
    }
    if let values = actual.floatingPointValues, let reference = expected.samples.floatingPointValues {
      return compareFloats(values, reference, expected, quantizationStep)
    }
    if let values = actual.integerValues, let reference = expected.samples.integerValues {
      return compareIntegers(values, reference, expected)
    }
    if let values = actual.stringValues, let reference = expected.samples.stringValues {
      let mismatches = zip(values, reference).count { $0 != $1 }
      return OutputReport(
        name: name, maxAbsError: mismatches == 0 ? 0 : 1, maxStepError: nil,
        mismatchShare: Self.share(mismatches, of: reference.count), tolerance: 0, isWithinTolerance: mismatches == 0)
    }
    return OutputReport(name: name, failure: "outputs of type \(actual.elementType.name) cannot be compared")
  }

  /// Returns the accepted absolute error of a float output.
  func floatTolerance(_ expected: ExpectedOutput, quantizationStep: Double?) -> Double {
    // Values that aren't bit-identical can differ by one step of the type.
    let step = expected.samples.elementType.relativeStep
    var tolerance = (relativeTolerance > 0 ? max(relativeTolerance, step) : 0) * expected.largestMagnitude
    if allowsSteps {
      tolerance = max(tolerance, 2 * (expected.description.xnnpackMaxAbsDiff ?? 0))
      if let quantizationStep { tolerance = max(tolerance, Double(acceptedSteps) * quantizationStep) }
    }
    return tolerance
  }

  private func compareFloats(
    _ values: [Double], _ reference: [Double], _ expected: ExpectedOutput, _ step: Double?
  ) -> OutputReport {
    let tolerance = floatTolerance(expected, quantizationStep: step)
    var largest = 0.0
    for (index, want) in reference.enumerated() {
      largest = max(largest, Self.difference(values[index * expected.sampleStride], want))
    }
    return OutputReport(
      name: expected.description.name, maxAbsError: largest, maxStepError: nil, mismatchShare: nil,
      tolerance: tolerance, isWithinTolerance: largest <= tolerance)
  }

  /// Returns the distance between two numbers: 0 for two NaNs or equal infinities, infinity if only one is finite.
  static func difference(_ value: Double, _ reference: Double) -> Double {
    if value == reference || (value.isNaN && reference.isNaN) { return 0 }
    let distance = abs(value - reference)
    return distance.isNaN ? .infinity : distance
  }

  private func compareIntegers(
    _ values: [Int64], _ reference: [Int64], _ expected: ExpectedOutput
  ) -> OutputReport {
    var largest: UInt64 = 0
    var mismatches = 0
    for (index, want) in reference.enumerated() {
      let value = values[index * expected.sampleStride]
      guard value != want else { continue }
      mismatches += 1
      largest = max(largest, value > want ? UInt64(bitPattern: value &- want) : UInt64(bitPattern: want &- value))
    }
    let share = Self.share(mismatches, of: reference.count)
    let isQuantized = expected.isQuantized
    var tolerance = 0.0
    var isWithin = mismatches == 0
    if allowsSteps {
      tolerance = 2 * (expected.description.xnnpackMaxAbsDiff ?? 0)
      if isQuantized { tolerance = max(tolerance, Double(acceptedSteps)) }
      isWithin = Double(largest) <= tolerance
      // The size of a difference between class indices is meaningless; only the number of different elements is
      // limited.
      if !isQuantized, isWithin, let known = expected.description.xnnpackMismatches {
        isWithin = share <= 2 * Self.share(known, of: expected.description.elements ?? reference.count)
      }
    }
    return OutputReport(
      name: expected.description.name, maxAbsError: Double(largest),
      maxStepError: isQuantized ? Int(clamping: largest) : nil, mismatchShare: share, tolerance: tolerance,
      isWithinTolerance: isWithin)
  }

  static func share(_ part: Int, of whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }
}
