import SwiftletEngine
import SwiftletSchema

/// HASHTABLE: a handle to the hash table that the other operators work on.
///
/// - Throws: An error for types other than integers for strings and strings for integers.
/// - Source: operator 136 of the model format. Handles with the same number refer to the same table in every subgraph.
struct HashTableHandleOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.hashtable, versions: 1...1, types: .one([], to: .variableHandle))
  }

  private let key: StateKey
  var role: OperatorRole { .names(key) }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...0)
    func type(_ field: OptionField<ElementType>) throws -> ElementType {
      let code = try node.options.code(of: field)
      guard let code = Int8(exactly: code), let type = ElementType(rawValue: code) else {
        throw node.invalid("has keys or values of type \(code), which the format does not define")
      }
      return type
    }
    let types = HashTable.Types(
      key: try type(HashtableOptions.keyDataType), value: try type(HashtableOptions.valueDataType))
    guard types.isSupported else {
      throw node.invalid(
        "maps \(types.key.name) to \(types.value.name); only int64 to string and string to int64 are defined")
    }
    key = .numbered(try node.options[HashtableOptions.tableID], types: [types.key, types.value])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[1]] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}

/// HASHTABLE_FIND: the values of keys, or a default value.
///
/// - Shapes: keys of any shape, which is the output shape; default of one element.
/// - Types: keys int64, default and output string; or keys string, default and output int64.
/// - Throws: `invalidInput` in a run if nothing has been imported.
/// - Source: operator 137 of the model format.
struct HashTableFindOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hashtableFind, versions: 1...1,
      types: .one(.variableHandle, .int64, .string, to: .string) + .one(.variableHandle, .string, .int64, to: .int64))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  /// Whether the result is independent of state. It depends on the table.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    guard try node.input(2).shape.elementCount >= 1 else {
      throw node.invalid("takes a default value, got \(try node.input(2))")
    }
    return [try node.input(1).shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let keys = try context.node.input(1)
    let table = try HashTable(
      context, HashTable.Types(key: keys.elementType, value: try context.node.output(0).elementType))
    let (source, missing, destination) = (
      try context.inputSlot(1), try context.inputSlot(2), try context.outputSlot(0)
    )
    let count = keys.shape.elementCount
    return PreparedOperator(items: count, cost: 100) { run, items in
      let contents = try table.contents(run)
      let (keys, values) = (run.pointer(source, as: UInt64.self), run.pointer(destination, as: UInt64.self))
      let other = run.pointer(missing, as: UInt64.self).pointee
      for index in items { values[index] = contents.value(of: keys[index]) ?? other }
    }
  }
}

/// HASHTABLE_IMPORT: fills a hash table once. Later imports do nothing.
///
/// - Shapes: keys and values of one shape.
/// - Types: int64 and string, or string and int64; strings are constant.
/// - Source: operator 138 of the model format. The first of equal keys is used.
struct HashTableImportOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .hashtableImport, versions: 1...1,
      types: .one(.variableHandle, .int64, .string, to: []) + .one(.variableHandle, .string, .int64, to: []))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3, outputs: 0...0) }

  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (keys, values) = (try node.input(1), try node.input(2))
    guard keys.shape == values.shape else {
      throw node.invalid("takes as many keys as values, got \(keys) and \(values)")
    }
    return []
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (keys, values) = (try node.input(1), try node.input(2))
    // Strings of inputs are removed some runs later.
    guard node.isConstant(keys.elementType == .string ? 1 : 2) else {
      throw node.invalid("the strings of a hash table, \(keys) and \(values), must be constant")
    }
    let count = keys.shape.elementCount
    let table = try HashTable(
      context, HashTable.Types(key: keys.elementType, value: values.elementType), capacity: count)
    let (keySlot, valueSlot) = (try context.inputSlot(1), try context.inputSlot(2))
    return PreparedOperator(stages: table.filling(keys: keySlot, values: valueSlot, count: count))
  }
}

/// HASHTABLE_SIZE: the number of keys in a hash table.
///
/// - Shapes: output `[1]`.
/// - Types: int64.
/// - Throws: `invalidInput` in a run if nothing has been imported.
/// - Source: operator 139 of the model format.
struct HashTableSizeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.hashtableSize, versions: 1...1, types: .one(.variableHandle, to: .int64))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  /// Whether the result is independent of state. It depends on the table.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[1]] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let table = try HashTable(context, nil)
    let destination = try context.outputSlot(0)
    return PreparedOperator { run, _ in
      run.pointer(destination, as: Int64.self).pointee = Int64(try table.contents(run).count)
    }
  }
}
