package import SwiftletSchema

/// A set of element types.
///
/// What operators' identities are written with is spelled out here and not left to the protocols' default
/// implementations: those are generic, and their first use looks for a conformance through every library of the
/// process.
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

  /// `float32`, `{int8, uint8}`, or a word for all there are.
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
  /// Types of 2 and 4 bits, whose elements take a byte each in a run.
  package static let narrow = TypeSet([.int2, .int4, .uint4])
  /// Types whose elements are moved as they are: those of whole bytes or less, and strings, which are numbers in a run.
  package static let movable = plain.union(narrow).union(.string)
  package static let any = TypeSet(ElementType.allCases)
}

/// One combination of types an operator accepts: per input and output the types allowed there.
///
/// A list may be shorter than the operator's: its last entry then stands for all that follow. Absent optional inputs
/// always match.
package struct TypeCombination: Sendable, Hashable, CustomStringConvertible {
  package var inputs: [TypeSet]
  package var outputs: [TypeSet]

  package init(inputs: [TypeSet], outputs: [TypeSet]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// `float32 × int8 → float32`; the last type stands for all that follow.
  package var description: String {
    text { $0.description }
  }

  /// Returns the same with other names for the sets; what follows itself is named once, with how often it stands there.
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

/// Which operator of the model format a type implements, and for which versions and element types. The support query
/// and the operator table of the documentation come from it.
package struct OperatorIdentity: Sendable {
  package let kind: OperatorKind
  package let versions: ClosedRange<Int>
  /// How far float32 results may be from the reference kernels', relative to the largest magnitude of the output: 0
  /// where they are equal to the last bit, more where sums are added in another order or functions are not rounded the
  /// same way.
  package let floatError: Double
  private let makeTypes: @Sendable () -> [TypeCombination]

  /// Returns whether one of the combinations has these types.
  package func accepts(inputs: [ElementType?], outputs: [ElementType]) -> Bool {
    types.accept(inputs: inputs, outputs: outputs)
  }

  /// Returns the types of `count` outputs where they follow from the inputs' types; `nil` if there is a choice, or such
  /// inputs are not taken.
  package func outputTypes(forInputs inputs: [ElementType?], count: Int) -> [ElementType]? {
    let matching = types.filter { $0.accepts(inputs: inputs, outputs: []) }
    let types = (0..<count).compactMap { index -> ElementType? in
      let sets = Set(matching.map { index < $0.outputs.count ? $0.outputs[index] : $0.outputs.last })
      guard sets.count == 1, let choices = sets.first??.types, choices.count == 1 else { return nil }
      return choices[0]
    }
    return types.count == count ? types : nil
  }

  /// Listed when asked for: to look an operator up, the identities of all are made, and most models use few.
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
  /// Returns all combinations of both. The library's operator is generic, as above.
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

  /// Every input and output of the same type, one combination per type.
  package static func uniform(_ types: [ElementType]) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)], outputs: [TypeSet($0)]) }
  }

  /// Returns the first input and every output of one type, and the remaining inputs of the given types.
  package static func uniform(_ types: [ElementType], then others: TypeSet...) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)] + others, outputs: [TypeSet($0)]) }
  }

  /// Returns a single combination.
  package static func one(_ inputs: TypeSet..., to outputs: TypeSet...) -> [TypeCombination] {
    [TypeCombination(inputs: inputs, outputs: outputs)]
  }
}
