import Foundation
import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

struct GoldenVariant: Sendable, CustomTestStringConvertible {
  var numerics: Numerics
  var threads: Int
  var isChecked = false
  var testDescription: String { "\(numerics.rawValue), \(threads) threads\(isChecked ? ", checked" : "")" }

  static let all = [
    GoldenVariant(numerics: .bitExact, threads: 1), GoldenVariant(numerics: .fast, threads: 1),
    GoldenVariant(numerics: .bitExact, threads: 3),
  ]
  /// Options with guard pages around every tensor. A violation crashes the tests; `swiftlet verify --checked` reports
  /// the operator.
  static let checked = [
    GoldenVariant(numerics: .fast, threads: 1, isChecked: true),
    GoldenVariant(numerics: .bitExact, threads: 3, isChecked: true),
  ]

  func check(
    _ suite: GoldenSuite, relativeTolerance: Double = Comparison.defaultRelativeTolerance,
    where isIncluded: (GoldenModel) -> Bool
  ) {
    let runner = GoldenRunner(
      suite, options: RuntimeOptions(threads: threads, numerics: numerics, isChecked: isChecked),
      relativeTolerance: relativeTolerance)
    let models = suite.manifest.models.filter(isIncluded)
    #expect(!models.isEmpty)
    for model in models {
      for report in runner.run(model) where !report.isPassed {
        let text = "\(report.model) \(report.name): \(report.summary)"
        Issue.record("\(text)")
      }
    }
  }
}

/// Compares the generated models of single operators with the reference kernels' outputs.
@Suite("Golden operators")
struct GoldenOperatorTests {
  static let suite = try? Bundle.module.path(forResource: "manifest", ofType: "json", inDirectory: "Golden")
    .map { try GoldenSuite(manifestPath: $0) }
  static let operatorNames = Set(suite?.manifest.models.compactMap(\.operatorName) ?? []).sorted()

  @Test("resource names are operator names")
  func hasModels() { #expect(Self.operatorNames.count > 50) }

  @Test(
    "gives the outputs of the reference, for floats within the operator's error bound", arguments: operatorNames,
    GoldenVariant.all + GoldenVariant.checked)
  func matchesReference(operatorName: String, variant: GoldenVariant) throws {
    let kind =
      BuiltinOperator.allCases.first { $0.schemaName == operatorName }.map(OperatorKind.builtin)
      ?? .custom(operatorName)
    let identity = try #require(OperatorCatalog.type(for: kind)).identity
    variant.check(try #require(Self.suite), relativeTolerance: identity.floatError) { $0.operatorName == operatorName }
  }
}

/// Checks published models, if the test data is available. They are slow without optimization: use a release build, or
/// `swiftlet verify` for all of them.
@Suite("Golden models", .enabled(if: TestData.has("models", "golden/manifest.json"), "\(TestData.skipReason)"))
struct GoldenModelTests {
  #if DEBUG
    static let maximumModelBytes = 300_000
  #else
    static let maximumModelBytes = Int.max
  #endif

  @Test("gives the outputs of the reference", arguments: GoldenVariant.all)
  func matchesReference(variant: GoldenVariant) throws {
    let suite = try GoldenSuite(manifestPath: TestData.path("golden/manifest.json"))
    variant.check(suite) { model in
      guard let path = try? suite.modelPath(of: model),
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      else { return true }
      return size <= Self.maximumModelBytes
    }
  }
}
