// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "custom-operator",
  platforms: [.macOS(.v13)],
  // Your own package names the address of Swiftlet's repository here, with a version.
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "RunThreshold",
      dependencies: [
        .product(name: "Swiftlet", package: "swiftlet")
      ])
  ]
)
