package import SwiftletSchema

/// A set of element types.
///
/// The members that identities use are implemented here instead of using the protocols' default implementations. The
/// default implementations are generic, and their first use searches all libraries of the process for a conformance.
package struct TypeSet: OptionSet, Sendable, Hashable, CustomStringConvertible {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(_ type: ElementType) { rawValue = 1 << UInt32(type.rawValue) }
  package init(_ types: [ElementType]) {
    var bits: UInt32 = 0
    for type in types { bits |= 1 << UInt32(type.rawValue) }
    rawValue = bits
  }
  package init(arrayLiteral elements: TypeSet...) {
    var bits: UInt32 = 0
    for element in elements { bits |= element.rawValue }
    rawValue = bits
  }

  package func contains(_ type: ElementType) -> Bool { rawValue & 1 << UInt32(type.rawValue) != 0 }
  package func union(_ other: TypeSet) -> TypeSet { TypeSet(rawValue: rawValue | other.rawValue) }
  package var types: [ElementType] { ElementType.allCases.filter { contains($0) } }

  /// The name of the set: `float32`, `{int8, uint8}`, or a word for all types.
  package var description: String {
    if self == .any { return "any" }
    if self == .plain { return "any of whole bytes" }
    if self == .movable { return "any of fixed size, string" }
    if isEmpty { return "none" }
    let names = types.map(\.name)
    return names.count == 1 ? names[0] : "{" + names.joined(separator: ", ") + "}"
  }

  package static let float32 = TypeSet(.float32)
  package static let int8 = TypeSet(.int8)
  package static let uint8 = TypeSet(.uint8)
  package static let int16 = TypeSet(.int16)
  package static let int32 = TypeSet(.int32)
  package static let int64 = TypeSet(.int64)
  package static let bool = TypeSet(.bool)
  /// Types with a fixed size of whole bytes.
  package static let plain = TypeSet(ElementType.allCases.filter { $0.byteWidth != nil && $0 != .resource })
  package static let string = TypeSet(.string)
  /// Types of 2 and 4 bits, whose elements take one byte each at run time.
  package static let narrow = TypeSet([.int2, .int4, .uint4])
  /// Types whose elements can be moved as bytes: types of at most 8 bits or of whole bytes, and strings, which are IDs
  /// at run time.
  package static let movable = plain.union(narrow).union(.string)
  package static let any = TypeSet(ElementType.allCases)
}

/// A combination of types that an operator accepts: the allowed types per input and output.
///
/// A list may be shorter than the operator's inputs or outputs. Its last entry then applies to all following ones.
/// Omitted optional inputs always match.
package struct TypeCombination: Sendable, Hashable, CustomStringConvertible {
  package var inputs: [TypeSet]
  package var outputs: [TypeSet]

  package init(inputs: [TypeSet], outputs: [TypeSet]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The types, such as `float32 × int8 → float32`. The last type applies to all following inputs or outputs.
  package var description: String {
    text { $0.description }
  }

  /// Returns the text with custom names for the sets. Repeated names are written once, with their count.
  package func text(_ name: (TypeSet) -> String) -> String {
    func list(_ sets: [TypeSet]) -> String {
      var runs: [(name: String, count: Int)] = []
      for set in sets {
        let name = name(set)
        if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
      }
      if runs.isEmpty { return "none" }
      return runs.map {
        $0.count > 2 ? "\($0.count) \($0.name)" : Array(repeating: $0.name, count: $0.count).joined(separator: " × ")
      }
      .joined(separator: " × ")
    }
    return list(inputs) + " → " + list(outputs)
  }

  package func accepts(inputs given: [ElementType?], outputs produced: [ElementType]) -> Bool {
    for (index, type) in given.enumerated() {
      guard let type else { continue }
      guard let allowed = index < inputs.count ? inputs[index] : inputs.last, allowed.contains(type) else {
        return false
      }
    }
    for (index, type) in produced.enumerated() {
      guard let allowed = index < outputs.count ? outputs[index] : outputs.last, allowed.contains(type) else {
        return false
      }
    }
    return true
  }
}

/// The identity of an operator: its kind, and the supported versions and element types. The support query and the
/// operator table of the documentation are generated from it.
package struct OperatorIdentity: Sendable {
  package let kind: OperatorKind
  package let versions: ClosedRange<Int>
  /// The maximum difference of float32 results from the reference kernels' results, relative to the largest output
  /// magnitude. It is 0 for bit-exact operators, and positive if the order of summation or the rounding of functions
  /// differs.
  package let floatError: Double
  private let makeTypes: @Sendable () -> [TypeCombination]

  /// Returns whether one of the combinations has these types.
  package func accepts(inputs: [ElementType?], outputs: [ElementType]) -> Bool {
    types.accept(inputs: inputs, outputs: outputs)
  }

  /// Returns the types of `count` outputs if they follow from the input types; `nil` if there is a choice, or if the
  /// input types aren't supported.
  package func outputTypes(forInputs inputs: [ElementType?], count: Int) -> [ElementType]? {
    let matching = types.filter { $0.accepts(inputs: inputs, outputs: []) }
    let types = (0..<count).compactMap { index -> ElementType? in
      let sets = Set(matching.map { index < $0.outputs.count ? $0.outputs[index] : $0.outputs.last })
      guard sets.count == 1, let choices = sets.first??.types, choices.count == 1 else { return nil }
      return choices[0]
    }
    return types.count == count ? types : nil
  }

  /// The type combinations, created on demand. Looking up an operator creates the identities of all operators, and most
  /// models use few.
  package var types: [TypeCombination] { makeTypes() }

  package init(
    _ kind: OperatorKind, versions: ClosedRange<Int>, floatError: Double = 0,
    types: @autoclosure @escaping @Sendable () -> [TypeCombination]
  ) {
    self.kind = kind
    self.versions = versions
    self.floatError = floatError
    makeTypes = types
  }

  package init(
    _ builtin: BuiltinOperator, versions: ClosedRange<Int>, floatError: Double = 0,
    types: @autoclosure @escaping @Sendable () -> [TypeCombination]
  ) {
    self.init(.builtin(builtin), versions: versions, floatError: floatError, types: types())
  }
}

extension [TypeCombination] {
  /// Returns all combinations of both lists. The standard library's operator isn't used because it is generic; see
  /// above.
  package static func + (left: [TypeCombination], right: [TypeCombination]) -> [TypeCombination] {
    var both = left
    both.reserveCapacity(left.count + right.count)
    for combination in right { both.append(combination) }
    return both
  }

  /// Returns whether one of the combinations has these types.
  package func accept(inputs: [ElementType?], outputs: [ElementType]) -> Bool {
    contains { $0.accepts(inputs: inputs, outputs: outputs) }
  }

  /// Returns combinations with the same type for all inputs and outputs, one per type.
  package static func uniform(_ types: [ElementType]) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)], outputs: [TypeSet($0)]) }
  }

  /// Returns combinations with the same type for the first input and every output, and with the given types for the
  /// other inputs.
  package static func uniform(_ types: [ElementType], then others: TypeSet...) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)] + others, outputs: [TypeSet($0)]) }
  }

  /// Returns a single combination.
  package static func one(_ inputs: TypeSet..., to outputs: TypeSet...) -> [TypeCombination] {
    [TypeCombination(inputs: inputs, outputs: outputs)]
  }
}
