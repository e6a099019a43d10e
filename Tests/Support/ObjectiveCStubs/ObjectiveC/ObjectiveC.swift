// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see ObjectiveC.h.
@_exported public import ObjectiveC

public struct ObjCBool {
  private let value: Int8
  public init(_ value: Bool) { self.value = value ? 1 : 0 }
  public var boolValue: Bool { value != 0 }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }

public struct NSZone { private let pointer: OpaquePointer }
public struct Selector { private let pointer: OpaquePointer }

extension NSObject: Hashable {
  public static func == (first: NSObject, second: NSObject) -> Bool { first.isEqual(second) }
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
