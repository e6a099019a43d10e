package import SwiftletSchema

/// A set of element types.
package struct TypeSet: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(_ type: ElementType) { rawValue = 1 << UInt32(type.rawValue) }
  package init(_ types: [ElementType]) { self = types.reduce(into: []) { $0.formUnion(TypeSet($1)) } }

  package func contains(_ type: ElementType) -> Bool { contains(TypeSet(type)) }
  package var types: [ElementType] { ElementType.allCases.filter { contains($0) } }

  package static let float32 = TypeSet(.float32)
  package static let int8 = TypeSet(.int8)
  package static let uint8 = TypeSet(.uint8)
  package static let int16 = TypeSet(.int16)
  package static let int32 = TypeSet(.int32)
  package static let int64 = TypeSet(.int64)
  package static let bool = TypeSet(.bool)
  /// Types with a fixed size of whole bytes.
  package static let plain = TypeSet(ElementType.allCases.filter { $0.byteWidth != nil && $0 != .resource })
  package static let any = TypeSet(ElementType.allCases)
}

/// One combination of types an operator accepts: per input and output the types allowed there.
///
/// A list may be shorter than the operator's: its last entry then stands for all that follow. Absent optional inputs
/// always match.
package struct TypeCombination: Sendable, Hashable {
  package var inputs: [TypeSet]
  package var outputs: [TypeSet]

  package init(inputs: [TypeSet], outputs: [TypeSet]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  package func accepts(inputs given: [ElementType?], outputs produced: [ElementType]) -> Bool {
    for (index, type) in given.enumerated() {
      guard let type else { continue }
      guard let allowed = index < inputs.count ? inputs[index] : inputs.last, allowed.contains(type) else { return false }
    }
    for (index, type) in produced.enumerated() {
      guard let allowed = index < outputs.count ? outputs[index] : outputs.last, allowed.contains(type) else { return false }
    }
    return true
  }
}

/// Which operator of the model format a type implements, and for which versions and element types. The support query
/// and the operator table of the documentation come from it.
package struct OperatorIdentity: Sendable {
  package let kind: OperatorKind
  package let versions: ClosedRange<Int>
  private let makeTypes: @Sendable () -> [TypeCombination]

  /// Listed when asked for: to look an operator up, the identities of all are made, and most models use few.
  package var types: [TypeCombination] { makeTypes() }

  package init(
    _ kind: OperatorKind, versions: ClosedRange<Int>, types: @autoclosure @escaping @Sendable () -> [TypeCombination]
  ) {
    self.kind = kind
    self.versions = versions
    makeTypes = types
  }

  package init(
    _ builtin: BuiltinOperator, versions: ClosedRange<Int>,
    types: @autoclosure @escaping @Sendable () -> [TypeCombination]
  ) {
    self.init(.builtin(builtin), versions: versions, types: types())
  }
}

extension [TypeCombination] {
  /// Every input and output of one and the same type, one combination per type.
  package static func uniform(_ types: [ElementType]) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)], outputs: [TypeSet($0)]) }
  }

  /// The first input and every output of one type, and the remaining inputs of the given types.
  package static func uniform(_ types: [ElementType], then others: TypeSet...) -> [TypeCombination] {
    types.map { TypeCombination(inputs: [TypeSet($0)] + others, outputs: [TypeSet($0)]) }
  }

  /// A single combination.
  package static func one(_ inputs: TypeSet..., to outputs: TypeSet...) -> [TypeCombination] {
    [TypeCombination(inputs: inputs, outputs: outputs)]
  }
}
