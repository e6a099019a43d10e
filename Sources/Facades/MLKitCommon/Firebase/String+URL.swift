import Foundation

extension String {
  /// As one segment of a path, or a value of a query.
  var escapedForURL: String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
