import Foundation
import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport

@testable import SwiftletEngine
@testable import SwiftletOperators

/// The page `docs/guide/operators.md`: the operators of the catalog, their descriptions from the operators' own files,
/// and the number of golden models that test them.
struct OperatorTable {
  struct Entry {
    var identity: OperatorIdentity
    /// The operator's description, from the comment above its type.
    var summary: String
    /// The number of golden models for the operator in which it has tensors of a type.
    var goldenModels: [ElementType: Int]
    /// The types that the reference rejects, so that no model can be generated.
    var refusedTypes: Set<ElementType>

    var name: String { identity.kind.name }

    /// The types that the operator's tensors can have, but that no golden model has.
    var untestedTypes: [ElementType] {
      let accepted = identity.types.reduce(into: TypeSet([])) { types, combination in
        for set in combination.inputs + combination.outputs where set != .any { types.formUnion(set) }
      }
      return accepted.types.filter { goldenModels[$0] == nil && !refusedTypes.contains($0) }
    }
  }

  let builtins: [Entry]
  let customs: [Entry]
  /// The operators of the schema that Swiftlet lacks.
  let missing: [BuiltinOperator]

  init(_ suite: GoldenSuite) throws {
    let sources = try Self.sources()
    let summaries = Self.summaries(sources)
    let tests = try Self.goldenModels(suite)
    let refusals = Self.refusedTypes(suite)
    func entry(_ kind: OperatorKind) -> Entry? {
      guard let identity = OperatorCatalog.type(for: kind)?.identity else { return nil }
      return Entry(
        identity: identity, summary: summaries[kind.name] ?? "", goldenModels: tests[kind.name] ?? [:],
        refusedTypes: refusals[kind.name.lowercased()] ?? [])
    }
    builtins = BuiltinOperator.allCases.compactMap { entry(.builtin($0)) }
    customs = Set(sources.matches(of: /\.custom\("([\w.]+)"\)/).map { String($0.output.1) }).sorted().compactMap {
      entry(.custom($0))
    }
    missing = BuiltinOperator.allCases.filter { OperatorCatalog.type(for: .builtin($0)) == nil }
  }

  // MARK: Sources

  static let path = TestData.packagePath + "/docs/guide/operators.md"

  /// Returns the text of all operator files.
  private static func sources() throws -> String {
    let folder = TestData.packagePath + "/Sources/Engine/SwiftletOperators"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined(separator: "\n")
  }

  /// Returns the first paragraphs of comments that begin with an operator's name.
  private static func summaries(_ sources: String) -> [String: String] {
    var summaries: [String: String] = [:]
    var name: String?
    for line in sources.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /\/\/\/ ([\w.]+): (.+)/) {
        name = String(match.output.1)
        summaries[String(match.output.1)] = String(match.output.2)
      } else if let current = name, let match = line.wholeMatch(of: /\/\/\/ ([^-].*)/) {
        summaries[current, default: ""] += " " + match.output.1
      } else {
        name = nil
      }
    }
    return summaries
  }

  /// Returns, by operator, the number of golden models for it in which a type occurs at its inputs or outputs.
  private static func goldenModels(_ suite: GoldenSuite) throws -> [String: [ElementType: Int]] {
    var counts: [String: [ElementType: Int]] = [:]
    for golden in suite.manifest.models {
      guard let name = golden.operatorName else { continue }
      let file = try Model(bytes: try suite.modelBytes(of: golden)).file
      var types: Set<ElementType> = []
      for graph in file.subgraphs {
        for node in graph.operators where node.code.kind.name == name {
          types.formUnion((node.inputs.compactMap { $0 } + node.outputs).map { graph.tensors[$0].type })
        }
      }
      for type in types { counts[name, default: [:]][type, default: 0] += 1 }
    }
    return counts
  }

  /// Returns, by lowercase operator name, the types of models that the reference rejected.
  private static func refusedTypes(_ suite: GoldenSuite) -> [String: Set<ElementType>] {
    var types: [String: Set<ElementType>] = [:]
    for skipped in suite.manifest.skipped {
      guard let match = skipped.model.wholeMatch(of: /(\w+)\/(\w+)_other_type/),
        let type = ElementType.allCases.first(where: { $0.name == String(match.output.2) })
      else { continue }
      types[String(match.output.1), default: []].insert(type)
    }
    return types
  }

  // MARK: Page

  var text: String {
    """
    # Operators

    <!-- Written by `SWIFTLET_WRITE_DOCS=1 swift test --filter OperatorTable`. Change the operators, not this page. -->

    Swiftlet runs \(builtins.count) operators of the schema and \(customs.count) custom operators. If a model has any other
    operator, version, or combination of types, Swiftlet rejects it with one error that lists all of
    them. `swiftlet inspect MODEL` and `Model.support()` report them without running the model.

    - **Versions** are the operator versions in the model file.
    - **Types** has the form inputs × inputs → outputs, in the model's order. `3 int8` means three int8
      tensors. The last input type also applies to any further inputs. T is any of the types listed
      after it. Optional inputs may be omitted.
    - **Golden models** is the number of generated models in
      `Tests/Engine/SwiftletOperatorsTests/Golden` in which the operator has a tensor of the type. Each
      model runs with fast and bit-exact numerics, on one thread and on several. The expected values
      come from the reference kernels of LiteRT. QUANTIZE, CAST, or BITCAST operators in the model
      create tensors of types that NumPy lacks, and convert the results back.
      - *Not in the reference* lists types that the reference rejects or computes incorrectly. `skipped`
        in the manifest has the reasons.
      - *None* lists other accepted types without a model. No operator outputs 2-bit tensors. The
        reference has no kernels for MediaPipe's custom operators, which support float32 only and are
        tested with values computed by hand.
    - **Float error** is the maximum accepted difference between a float32 result and the reference's,
      relative to the largest magnitude of the output. The golden tests use it; 0 means bit-identical.
      Where it is 0, 16-bit float results are equal to the reference's; elsewhere they differ by at most
      one step of the largest magnitude. Integer results are bit-identical with bit-exact numerics, and
      within two steps with fast numerics.
    - Elements with 2 and 4 bits take one byte each at run time. Such inputs and outputs of a model are
      read and written as int8 or uint8.

    ## Operators of the schema

    \(Self.table(builtins))

    ## Custom operators

    \(Self.table(customs))

    ## Unsupported operators

    | Code | Operator | Reason |
    |---|---|---|
    \(missing.map { "| \($0.rawValue) | `\($0.schemaName)` | \(Self.reason($0)) |" }.joined(separator: "\n"))

    """
  }

  private static func table(_ entries: [Entry]) -> String {
    let rows = entries.map { entry in
      let identity = entry.identity
      let code = if case .builtin(let builtin) = identity.kind { "\(builtin.rawValue)" } else { "" }
      let versions =
        identity.versions.count == 1
        ? "\(identity.versions.lowerBound)" : "\(identity.versions.lowerBound)–\(identity.versions.upperBound)"
      let columns = [
        code, "`\(entry.name)`", versions, types(identity.types), tests(entry),
        identity.floatError == 0 ? "0" : "\(identity.floatError)", entry.summary,
      ]
      return "| " + columns.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    return
      ([
        "| Code | Operator | Versions | Types | Golden models | Float error | Description |",
        "|---|---|---|---|---|---|---|",
      ] + rows)
      .joined(separator: "\n")
  }

  private static func tests(_ entry: Entry) -> String {
    let counts = ElementType.allCases.compactMap { type in entry.goldenModels[type].map { "\(type.name) \($0)" } }
    let untested = entry.untestedTypes.map(\.name)
    let refused = ElementType.allCases.filter(entry.refusedTypes.contains).map(\.name)
    return
      (counts + (untested.isEmpty ? [] : ["*none:* " + untested.joined(separator: ", ")])
      + (refused.isEmpty ? [] : ["*not in the reference:* " + refused.joined(separator: ", ")])).joined(separator: ", ")
  }

  /// Merges combinations that differ in only one type: `T × int32 → T, T: float32, int8`.
  static func types(_ combinations: [TypeCombination]) -> String {
    var groups: [(pattern: String, types: [String], first: String)] = []
    for combination in combinations {
      // The type of the results is the variable one, if an input has it too.
      let own = combination.outputs.first.flatMap { $0.types.count == 1 && combination.inputs.contains($0) ? $0 : nil }
      let pattern = combination.text { $0 == own ? "T" : $0.description }
      if let own, let index = groups.firstIndex(where: { $0.pattern == pattern }) {
        groups[index].types.append(own.description)
      } else {
        groups.append((pattern, own.map { [$0.description] } ?? [], combination.description))
      }
    }
    return groups.map { group in
      if group.types.count <= 1 { return group.first }
      let known = [TypeSet.plain, .movable].first { Set(group.types) == Set($0.types.map(\.name)) }
      return "\(group.pattern), T: \(known?.description ?? group.types.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  /// Returns the reason why the operator isn't available.
  static func reason(_ builtin: BuiltinOperator) -> String {
    switch builtin {
    case .custom: "not an operator: the common code of custom operators"
    case .placeholderForGreaterOperatorCodes: "not an operator: a placeholder in the old field for codes above 127"
    case .delegate: "not an operator: replaces delegated nodes at run time; never in a file"
    case .concatEmbeddings: "removed: only the code is left in the schema, and LiteRT has no kernel for it"
    case _ where builtin.schemaName.hasPrefix("STABLEHLO_"):
      "LiteRT has no kernel for it either; converters replace it with other operators or decompose a composite"
    default: "missing"
    }
  }
}
