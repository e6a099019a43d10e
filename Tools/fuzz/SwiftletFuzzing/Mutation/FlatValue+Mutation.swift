package import SwiftletTestSupport

extension FlatValue {
  /// Returns a value of the same kind, usually a hostile one.
  package func mutated(_ random: inout FuzzRandom) -> FlatValue {
    switch self {
    case .bool(let flag): return .bool(!flag)
    case .byte(let number):
      return .byte(
        random.oneIn(2) ? Int8(random.within(0...6)) : Int8(truncatingIfNeeded: random.hostile(near: Int32(number))))
    case .int(let number): return .int(random.hostile(near: number))
    case .uint(let number): return .uint(UInt32(bitPattern: random.hostile(near: Int32(bitPattern: number))))
    case .long(let number): return .long(random.hostileLong(near: number))
    case .float(let number): return .float(random.hostileFloat(near: number))
    case .string: return .string(random.hostileText())
    case .bytes(let bytes): return .bytes(bytes.mutatedElements(&random) { $1 ^ UInt8(truncatingIfNeeded: $0.next()) })
    case .ints(let numbers): return .ints(numbers.mutatedElements(&random) { $0.hostile(near: $1) })
    case .longs(let numbers): return .longs(numbers.mutatedElements(&random) { $0.hostileLong(near: $1) })
    case .floats(let numbers): return .floats(numbers.mutatedElements(&random) { $0.hostileFloat(near: $1) })
    case .bools(let flags): return .bools(flags.mutatedElements(&random) { !$1 || $0.oneIn(4) })
    case .shorts(let numbers):
      return .shorts(numbers.mutatedElements(&random) { UInt16(truncatingIfNeeded: $0.hostile(near: Int32($1))) })
    case .strings(let texts): return .strings(texts.mutatedElements(&random) { random, _ in random.hostileText() })
    case .lyingVector: return self
    case .table(let fields): return .table(fields.mutatedFields(&random))
    case .tables(let rows): return .tables(rows.mutatedElements(&random) { $1.mutatedFields(&$0) })
    }
  }

  /// Returns an initial value of a kind, for fields that a table omits.
  package static func fresh(_ kind: FlatKind, _ random: inout FuzzRandom) -> FlatValue? {
    switch kind {
    case .bool: return .bool(true)
    case .byte: return FlatValue.byte(0).mutated(&random)
    case .int: return FlatValue.int(1).mutated(&random)
    case .uint: return FlatValue.uint(1).mutated(&random)
    case .long: return FlatValue.long(1).mutated(&random)
    case .float: return FlatValue.float(1).mutated(&random)
    case .string: return .string(random.hostileText())
    case .bytes: return .bytes(random.bytes(random.below(16)))
    case .ints: return .ints((0..<random.below(5)).map { _ in random.hostile() })
    case .longs: return .longs((0..<random.below(5)).map { _ in random.hostileLong() })
    case .floats: return .floats((0..<random.below(5)).map { _ in random.hostileFloat() })
    case .bools: return .bools((0..<random.below(5)).map { _ in random.oneIn(2) })
    case .shorts: return .shorts((0..<random.below(5)).map { _ in UInt16(random.below(9)) })
    case .strings: return .strings([random.hostileText()])
    case .table, .tables, .union: return nil
    }
  }
}

extension [Int: FlatValue] {
  /// Returns the table with one field changed or removed. Nested tables are as likely as the fields next to them.
  package func mutatedFields(_ random: inout FuzzRandom) -> Self {
    // Sorted, because the order of a dictionary differs in every process.
    guard let id = random.pick(keys.sorted()), let value = self[id] else { return self }
    var fields = self
    fields[id] = random.oneIn(12) ? nil : value.mutated(&random)
    return fields
  }

  /// Returns the table with one field changed, removed, or added from the schema.
  package func mutated(by schema: FlatSchema, _ random: inout FuzzRandom) -> Self {
    guard random.oneIn(2) || isEmpty, let id = random.pick(schema.fields.keys.sorted()), let kind = schema.fields[id]
    else {
      return mutatedFields(&random)
    }
    guard self[id] == nil else { return mutatedFields(&random) }
    var fields = self
    fields[id] = FlatValue.fresh(kind, &random)
    return fields
  }
}

extension Array {
  /// Returns the list with elements changed, repeated, swapped, or removed.
  package func mutatedElements(_ random: inout FuzzRandom, _ change: (inout FuzzRandom, Element) -> Element) -> Self {
    var list = self
    guard !list.isEmpty else { return list }
    switch random.below(8) {
    case 0: list.remove(at: random.below(list.count))
    case 1 where list.count < 1 << 12: list.insert(list[random.below(list.count)], at: random.below(list.count + 1))
    case 2: list.swapAt(random.below(list.count), random.below(list.count))
    case 3: list.removeLast(random.below(list.count) + 1)
    case 4:
      for _ in 0...random.below(4) {
        let index = random.below(list.count)
        list[index] = change(&random, list[index])
      }
    default:
      let index = random.below(list.count)
      list[index] = change(&random, list[index])
    }
    return list
  }
}
