import SwiftletSchema
import Testing

@testable import SwiftletEngine

@Suite("Supported operator types")
struct OperatorIdentityTests {
  @Test("sets of types contain their members")
  func typeSets() {
    let set: TypeSet = [.float32, .int8, .string]
    #expect(
      set.types == [.float32, .string, .int8] && set.contains(ElementType.int8) && !set.contains(ElementType.uint8))
    #expect(TypeSet(.uint4).rawValue == 1 << 20 && TypeSet([.float32, .float8E5M2]).rawValue == 1 | 1 << 22)
    #expect(TypeSet.float32.union(.bool).types == [.float32, .bool] && TypeSet([] as [ElementType]).isEmpty)
    let singles: [(TypeSet, ElementType)] = [
      (.float32, .float32), (.int8, .int8), (.uint8, .uint8), (.int16, .int16), (.int32, .int32), (.int64, .int64),
      (.bool, .bool), (.string, .string),
    ]
    for (set, type) in singles { #expect(set.types == [type]) }
  }

  @Test("named sets contain whole-byte types, sub-byte types, movable types, and all types")
  func namedSets() {
    let narrow: [ElementType] = [.int2, .int4, .uint4]
    #expect(Set(TypeSet.narrow.types) == Set(narrow))
    #expect(Set(TypeSet.plain.types) == Set(ElementType.allCases).subtracting(narrow + [.string, .variant, .resource]))
    #expect(Set(TypeSet.movable.types) == Set(ElementType.allCases).subtracting([.variant, .resource]))
    #expect(TypeSet.any.types == ElementType.allCases)
  }

  @Test("sets have names")
  func descriptions() {
    #expect("\(TypeSet.any)" == "any" && "\(TypeSet.plain)" == "any of whole bytes")
    #expect("\(TypeSet.movable)" == "any of fixed size, string" && "\(TypeSet(rawValue: 0))" == "none")
    #expect("\(TypeSet.int16)" == "int16" && "\(TypeSet([.uint8, .int8]))" == "{uint8, int8}")
  }

  @Test("combinations are written with counts of repeated types")
  func combinations() {
    func text(_ inputs: [TypeSet], _ outputs: [TypeSet]) -> String {
      "\(TypeCombination(inputs: inputs, outputs: outputs))"
    }
    #expect(text([.float32, .int8], [.float32]) == "float32 × int8 → float32")
    #expect(text([.int8, .int8], [.bool]) == "int8 × int8 → bool")
    #expect(text([.int8, .int8, .int8, .bool], []) == "3 int8 × bool → none")
    #expect(text([], [.int8]) == "none → int8")
    let combination = TypeCombination(inputs: [.int8, .bool], outputs: [.bool])
    #expect(combination.text { $0 == .bool ? "B" : "I" } == "I × B → B")
  }

  @Test("the last entry of a combination applies to all following tensors, and absent inputs always match")
  func accepts() {
    let combination = TypeCombination(inputs: [.float32, .int32], outputs: [.float32, .bool])
    func accepts(_ inputs: [ElementType?], _ outputs: [ElementType] = []) -> Bool {
      combination.accepts(inputs: inputs, outputs: outputs)
    }
    #expect(accepts([.float32]) && accepts([.float32, .int32, .int32, .int32]) && accepts([nil, nil, .int32, nil]))
    #expect(!accepts([.int32]) && !accepts([.float32, .float32]) && !accepts([.float32, .int32, .float32]))
    #expect(!accepts([nil, .float32]))
    #expect(
      accepts([], [.float32, .bool, .bool]) && !accepts([], [.bool]) && !accepts([], [.float32, .bool, .float32]))
    let none = TypeCombination(inputs: [], outputs: [])
    #expect(none.accepts(inputs: [], outputs: []) && none.accepts(inputs: [nil], outputs: []))
    #expect(!none.accepts(inputs: [.int8], outputs: []) && !none.accepts(inputs: [], outputs: [.int8]))
  }

  @Test("lists of combinations")
  func lists() {
    let uniform = [TypeCombination].uniform([.int8, .int16])
    #expect(uniform.map(\.description) == ["int8 → int8", "int16 → int16"])
    let then = [TypeCombination].uniform([.int8, .int16], then: .int32, .bool)
    #expect(then.map(\.description) == ["int8 × int32 × bool → int8", "int16 × int32 × bool → int16"])
    let one = [TypeCombination].one(.int8, .any, to: .bool, .int8)
    #expect(one.map(\.description) == ["int8 × any → bool × int8"])
    let both: [TypeCombination] = uniform + one
    #expect(both == [uniform[0], uniform[1], one[0]])
    #expect(both.accept(inputs: [.int16], outputs: [.int16]) && !both.accept(inputs: [.int16], outputs: [.bool]))
    #expect(both.accept(inputs: [.int8, .string], outputs: [.bool]) && !both.accept(inputs: [.bool], outputs: []))
  }

  @Test("output types are inferred if there is one choice")
  func outputTypes() {
    let types: [TypeCombination] = [
      TypeCombination(inputs: [.float32], outputs: [.float32, .int32]),
      TypeCombination(inputs: [.int8], outputs: [.int8]), TypeCombination(inputs: [.int8], outputs: [.int16]),
      TypeCombination(inputs: [.bool], outputs: [[.int8, .int16]]),
      TypeCombination(inputs: [.int64], outputs: []),
    ]
    let identity = OperatorIdentity(.add, versions: 2...4, floatError: 0.5, types: types)
    func outputs(_ type: ElementType?, _ count: Int) -> [ElementType]? {
      identity.outputTypes(forInputs: [type], count: count)
    }
    #expect(outputs(.float32, 1) == [.float32] && outputs(.float32, 3) == [.float32, .int32, .int32])
    #expect(outputs(.float32, 0) == [] && outputs(.int8, 1) == nil && outputs(.bool, 1) == nil)
    #expect(outputs(.int64, 1) == nil && outputs(.string, 1) == nil && outputs(nil, 1) == nil)
    #expect(
      identity.accepts(inputs: [.int8], outputs: [.int16]) && !identity.accepts(inputs: [.int8], outputs: [.bool]))
    #expect(identity.kind == .builtin(.add) && identity.versions == 2...4 && identity.floatError == 0.5)
    #expect(OperatorIdentity(.custom("x"), versions: 1...1, types: []).floatError == 0)
  }
}
