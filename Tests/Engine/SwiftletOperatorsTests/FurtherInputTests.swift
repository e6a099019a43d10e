import Foundation
import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Runs golden models on additional inputs: any values, negative sums, and the limits of types.
@Suite("Golden operators, additional inputs")
struct FurtherInputTests {
  static let further = try? AdditionalInputs(
    textPath: Bundle.module.path(forResource: "further_inputs", ofType: "txt", inDirectory: "Golden") ?? "",
    elementsPath: Bundle.module.path(forResource: "further_outputs", ofType: "bin", inDirectory: "Golden") ?? "")

  @Test("the listed models have additional inputs")
  func coversModels() throws {
    let names = Set(try #require(GoldenOperatorTests.suite).manifest.models.map(\.model))
    let further = try #require(Self.further).modelNames
    #expect(further.isSubset(of: names))
    #expect(further.count * 10 > names.count * 7)
    #expect(further.contains("sum/int8_last") && further.contains("resize_bilinear/float32_plain_odd_up"))
  }

  @Test("bit-exact numerics give the outputs of the reference", arguments: GoldenOperatorTests.operatorNames)
  func matchesReference(operatorName: String) throws {
    let suite = try #require(GoldenOperatorTests.suite), further = try #require(Self.further)
    let options = RuntimeOptions(threads: 3, numerics: .bitExact)
    for golden in suite.manifest.models(forOperator: operatorName) {
      let cases = further.cases(of: golden.model)
      guard let first = golden.cases.first, !cases.isEmpty else { continue }
      let compiled = try CompiledModel(Model(bytes: try suite.modelBytes(of: golden)), options: options)
      for item in cases {
        let inputs = try first.inputs.enumerated().map { index, input in
          let tensor = try AdditionalInputs.input(
            suite.tensor(for: input), zeroPoint: input.quantization?.zeroPoints.first, style: item.style,
            seed: "\(golden.model)/\(item.style)/\(index)")
          return try Tensor(elementType: tensor.elementType, shape: Shape(tensor.shape), bytes: tensor.bytes)
        }
        let outputs = try Session(compiled).run(inputs).map {
          try GoldenTensor(elementType: $0.elementType, shape: $0.shape.dimensions, bytes: $0.bytes)
        }
        try #require(outputs.count == item.outputs.count)
        for (index, expected) in item.outputs.enumerated() {
          let place = "\(golden.model), \(item.style), output \(index)"
          switch expected {
          case .checksum(let checksum): #expect(AdditionalInputs.checksum(outputs[index]) == checksum, "\(place)")
          case .elements(let offset):
            let report = try compare(
              outputs[index], further.elements(at: offset, shape: outputs[index].shape), first.outputs[index],
              operatorName)
            #expect(report.isWithinTolerance, "\(place): \(report.summary)")
          }
        }
      }
    }
  }

  private func compare(
    _ actual: GoldenTensor, _ elements: GoldenTensor, _ description: GoldenOutput, _ operatorName: String
  ) throws -> OutputReport {
    let kind =
      BuiltinOperator.allCases.first { $0.schemaName == operatorName }.map(OperatorKind.builtin)
      ?? .custom(operatorName)
    let identity = try #require(OperatorCatalog.type(for: kind)).identity
    let comparison = Comparison(numerics: .bitExact, arithmetic: .integer, relativeTolerance: identity.floatError)
    return comparison.compare(
      actual,
      with: ExpectedOutput(description: description, shape: actual.shape, sampleStride: 1, samples: elements))
  }
}
